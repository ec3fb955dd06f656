package main

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// payer is a browser without JavaScript: it follows links and redirects, and fills in forms.
type payer struct {
	t      *testing.T
	client *http.Client
}

func newPayer(t *testing.T) *payer {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &payer{t, &http.Client{Transport: transport, Timeout: 20 * time.Second}}
}

// webPage is what a browser shows.
type webPage struct {
	url    *url.URL // after redirects
	status int
	header http.Header
	text   string
	doc    *html.Node
}

func (p *payer) open(target string) *webPage {
	r, err := http.NewRequest(http.MethodGet, target, nil)
	require.NoError(p.t, err)
	return p.send(r)
}

func (p *payer) send(r *http.Request) *webPage {
	p.t.Helper()
	answer, err := p.client.Do(r)
	require.NoError(p.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(p.t, err)
	doc, err := html.Parse(strings.NewReader(string(body)))
	require.NoError(p.t, err)
	return &webPage{answer.Request.URL, answer.StatusCode, answer.Header, string(body), doc}
}

// submit sends the form that has a field or button of the given name, with some fields changed.
func (p *payer) submit(page *webPage, has string, change map[string]string) *webPage {
	p.t.Helper()
	form := find(page.doc, func(n *html.Node) bool { return n.Data == "form" && named(n, has) != nil })
	require.NotNil(p.t, form, "no form with %q on %s:\n%s", has, page.url, page.text)
	return p.sendForm(page, form, change)
}

// submitTo sends the form whose action ends in suffix.
func (p *payer) submitTo(page *webPage, suffix string, change map[string]string) *webPage {
	p.t.Helper()
	form := find(page.doc, func(n *html.Node) bool {
		return n.Data == "form" && strings.HasSuffix(attr(n, "action"), suffix)
	})
	require.NotNil(p.t, form, "no form to %q on %s:\n%s", suffix, page.url, page.text)
	return p.sendForm(page, form, change)
}

func (p *payer) sendForm(page *webPage, form *html.Node, change map[string]string) *webPage {
	p.t.Helper()
	values := url.Values{}
	each(form, func(n *html.Node) {
		kind := attr(n, "type")
		if n.Data == "input" && kind != "checkbox" && kind != "submit" {
			values.Set(attr(n, "name"), attr(n, "value"))
		}
	})
	for name, value := range change {
		values.Set(name, value)
	}
	target, err := page.url.Parse(attr(form, "action"))
	require.NoError(p.t, err)
	r, err := http.NewRequest(http.MethodPost, target.String(), strings.NewReader(values.Encode()))
	require.NoError(p.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", page.url.Scheme+"://"+page.url.Host)
	return p.send(r)
}

// onward does what a browser or an honest payer does on the pages between the card form and the end: it follows
// forms, waits, and confirms.
func (p *payer) onward(page *webPage) *webPage {
	p.t.Helper()
	for range 20 {
		forward := find(page.doc, func(n *html.Node) bool { return attr(n, "id") == "forward" })
		decide := find(page.doc, func(n *html.Node) bool { return n.Data == "form" && named(n, "decision") != nil })
		turn := attr(find(page.doc, func(n *html.Node) bool { return n.Data == "body" }), "data-turn")
		switch {
		case forward != nil && forward.Data == "a":
			target, err := page.url.Parse(attr(forward, "href"))
			require.NoError(p.t, err)
			page = p.open(target.String())
		case forward != nil:
			page = p.sendForm(page, forward, nil)
		case decide != nil:
			page = p.submit(page, "decision", map[string]string{"decision": "confirm"})
		case turn == "wait":
			page = p.open(page.url.String())
		default:
			return page
		}
	}
	require.Fail(p.t, "the payer goes round in circles", page.text)
	return nil
}

// buy orders a product and stops at the card form.
func (p *payer) buy(base, product string, hold bool) *webPage {
	p.t.Helper()
	change := map[string]string{"quantity": "3"}
	if hold {
		change["hold"] = "Y"
	}
	page := p.submit(p.open(base+"/products/"+product), "email", change)
	require.Equal(p.t, http.StatusOK, page.status, page.text)
	require.Contains(p.t, page.url.Path, "/auth/")
	return page
}

// pay fills in the card and continues to the end.
func (p *payer) pay(page *webPage, expiry string) *webPage {
	p.t.Helper()
	return p.onward(p.submit(page, "card_number", map[string]string{
		"card_number": "4111 1111 1111 1111", "expiry": expiry, "cvv": "737",
	}))
}

func find(n *html.Node, match func(*html.Node) bool) (found *html.Node) {
	each(n, func(n *html.Node) {
		if found == nil && match(n) {
			found = n
		}
	})
	return found
}

func each(n *html.Node, do func(*html.Node)) {
	for child := range n.Descendants() {
		if child.Type == html.ElementNode {
			do(child)
		}
	}
}

func named(form *html.Node, name string) *html.Node {
	return find(form, func(n *html.Node) bool { return attr(n, "name") == name })
}

func attr(n *html.Node, name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
