package page_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// Every error page names the merchant and links to the payment page and to the merchant, whenever the session is
// known.
func TestProblemsNameTheMerchant(t *testing.T) {
	t.Parallel()
	fails := errors.New("the disk is full")
	large := "x=" + strings.Repeat("y", 70<<10)
	at := "/auth/" + token
	comesFrom := func(k *kernel) { k.backURL = "https://pay.example/auth/" + token }
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		kernel                   func(*kernel)
		status                   int
		self                     string // link to the payment page
	}{
		{"form of another site", "POST", at, "a=b", []string{"Sec-Fetch-Site", "cross-site"}, nil, 403, "../auth/" + token},
		{"answer of another site", "POST", at + "/answer", "a=b", []string{"Sec-Fetch-Site", "cross-site"}, nil, 403, "../../auth/" + token},
		{"cancel of another site", "POST", at + "/cancel", "a=b", []string{"Sec-Fetch-Site", "cross-site"}, nil, 403, "../../auth/" + token},
		{"large form", "POST", at, large, nil, nil, 413, "../auth/" + token},
		{"broken form", "POST", at, "%zz=1", nil, nil, 400, "../auth/" + token},
		{"large answer", "POST", at + "/answer", large, nil, nil, 413, "../../auth/" + token},
		{"broken answer", "POST", at + "/answer", "%zz=1", nil, nil, 400, "../../auth/" + token},
		{"large cancel", "POST", at + "/cancel", large, nil, nil, 413, "../../auth/" + token},
		{"broken cancel", "POST", at + "/cancel", "%zz=1", nil, nil, 400, "../../auth/" + token},
		{"large return", "POST", "/return/" + token, large, nil, comesFrom, 413, "https://pay.example/auth/" + token},
		{"broken return", "POST", "/return/" + token, "%zz=1", nil, comesFrom, 400, "https://pay.example/auth/" + token},
		{"return with a broken query", "GET", "/return/" + token + "?a=1;b=2", "", nil, comesFrom, 400, "https://pay.example/auth/" + token},
		{"payment fails", "POST", at, goodForm().Encode(), nil, func(k *kernel) { k.payErr = fails }, 500, "../auth/" + token},
		{"unknown turn", "GET", at, "", nil, func(k *kernel) { k.next.Kind = "?" }, 500, "../auth/" + token},
		{"no way to the bank", "GET", at, "", nil, func(k *kernel) {
			k.next.Kind, k.next.Redirect = gateway.ActionRedirect, &store.Redirect{URL: "javascript:alert(1)"}
		}, 500, "../auth/" + token},
		{"return fails", "GET", "/return/" + token, "", nil, func(k *kernel) { k.backURL, k.backErr = "https://pay.example/auth/"+token, fails },
			500, "https://pay.example/auth/" + token},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{next: with(func(next *gateway.NextAction) { next.BackURL = "https://shop.example/error?x=1" })}
			if c.kernel != nil {
				c.kernel(k)
			}
			w := call(k, c.method, c.path, c.body, c.header...)
			require.Equal(t, c.status, w.Code)
			if c.status < 500 {
				require.Empty(t, k.returned)
				require.Empty(t, k.answered)
				require.Zero(t, k.left)
			}
			body := bodyOf(w)
			require.Contains(t, body, "<bdi>Northwind Ceramics</bdi>")
			require.Contains(t, body, "Order <bdi>NW-7</bdi>")
			require.Contains(t, body, `<a class="button" href="`+c.self+`">Open the payment page</a>`)
			require.Contains(t, body, `href="https://shop.example/error?x=1" target="_self" `+
				`rel="noopener noreferrer">Back to Northwind Ceramics</a>`)
			require.NotContains(t, body, "1,284.50", "an error is no offer to pay")
		})
	}
}

// Without a session the page names no merchant, and is complete.
func TestProblemsWithoutSession(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path string
		k          *kernel
		status     int
	}{
		{"no such link", "/auth/other", &kernel{next: formAction()}, http.StatusNotFound},
		{"no such return", "/return/other", &kernel{next: formAction()}, http.StatusNotFound},
		{"no such return, which is broken", "/return/other?a=%zz", &kernel{next: formAction()}, http.StatusNotFound},
		{"a broken return that leads nowhere", "/return/" + token + "?a=%zz", &kernel{next: formAction()}, http.StatusBadRequest},
		{"a broken return without a next page", "/return/" + token + "?a=%zz", &kernel{next: formAction(), backErr: errors.New("the disk is full")}, http.StatusInternalServerError},
		{"a broken return whose next page is not a URL", "/return/" + token + "?a=%zz", &kernel{next: formAction(), backURL: "javascript:x"}, http.StatusBadRequest},
		{"a return without a next page", "/return/" + token, &kernel{next: formAction(), backErr: errors.New("the disk is full")}, http.StatusInternalServerError},
		{"a next page that is not a URL", "/return/" + token, &kernel{next: formAction(), backURL: "javascript:x", backErr: errors.New("x")}, http.StatusInternalServerError},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := call(c.k, "GET", c.path, "")
			require.Equal(t, c.status, w.Code)
			require.NotContains(t, bodyOf(w), "Northwind")
			require.NotContains(t, bodyOf(w), "javascript:")
		})
	}
}

// A merchant without a URL to go back to, and one whose URL is no web page.
func TestProblemWithoutWayBack(t *testing.T) {
	t.Parallel()
	for _, back := range []string{"", "javascript:alert(1)"} {
		body := bodyOf(show(t, with(func(next *gateway.NextAction) { next.Kind, next.BackURL = "?", back })))
		require.Contains(t, body, "<bdi>Northwind Ceramics</bdi>")
		require.NotContains(t, body, "Back to Northwind")
	}
}
