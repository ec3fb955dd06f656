package page_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/store"
)

const openPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "

func with(change func(*gateway.NextAction)) gateway.NextAction {
	next := formAction()
	change(&next)
	return next
}

func TestTurns(t *testing.T) {
	t.Parallel()
	next := func(method string) *store.Redirect {
		return &store.Redirect{ThreeDS: true, Method: method, URL: "https://ACS.bank.example:8443/step?a=1%20b",
			Params: []store.RedirectParam{{Name: "creq", Value: `e"<1`}, {Name: "k", Value: "v w"}}}
	}
	for _, c := range []struct {
		name     string
		next     gateway.NextAction
		status   int
		location string
		policy   string
		has, not []string
	}{
		{
			name: "form", next: formAction(), status: 200,
			policy: openPolicy + "form-action 'self' https://shop.example; base-uri 'none'; frame-ancestors 'none'",
			has: []string{`<html lang="en" dir="ltr">`, "<title>Pay Northwind Ceramics</title>", "€1,284.50",
				`value="1284.50 EUR"`,
				"Two bowls", `action="./` + token + `"`, `name="attempt" value="2"`, `autocomplete="cc-number"`,
				`autocomplete="cc-exp"`, `autocomplete="cc-csc"`, `autocomplete="cc-name"`, `inputmode="numeric"`,
				`<p class="sr" id="live" role="status" aria-live="polite"></p>`, "Pay €1,284.50</button>",
				`action="./` + token + `/cancel"`, `integrity="sha384-`, `<label for="card_number">`, "13:00 UTC"},
			not: []string{"pattern=", "<style", "style=", "onclick", "aria-invalid", `role="alert"`, "Test mode",
				`type="number"`},
		},
		{
			name: "framed", next: with(func(t *gateway.NextAction) {
				t.Origins = []string{"https://Shop.example",
					"https://a.example:444"}
			}), status: 200,
			policy: openPolicy + "form-action 'self' https://shop.example; base-uri 'none'; frame-ancestors https://shop.example https://a.example:444",
		},
		{
			name: "plain form", next: with(func(t *gateway.NextAction) {
				t.NeedName, t.CanLeave, t.FormOrigins = false, false,
					nil
			}), status: 200,
			policy: openPolicy + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			not:    []string{"cc-name", "/cancel"},
		},
		{
			name: "test mode", next: with(func(t *gateway.NextAction) { t.Test = true }), status: 200,
			has: []string{"<title>[Test mode] Pay", `<header class="test"><strong>Test mode</strong>`},
		},
		{
			name: "declined", next: with(func(t *gateway.NextAction) {
				t.Declined, t.AttemptsLeft = "stolen card, pick up", 2
			}), status: 200,
			has: []string{"Declined by processing.", "You can try 2 more times.", `role="alert" tabindex="-1" autofocus`},
			not: []string{"stolen"},
		},
		{
			name: "declined, last try", next: with(func(t *gateway.NextAction) {
				t.Declined, t.AttemptsLeft = "x", 1
			}), status: 200,
			has: []string{"You can try once more."},
		},
		{
			name: "hostile origins", status: 200,
			next: with(func(t *gateway.NextAction) {
				t.Origins = []string{"*", "https://*.example", "https://a.example; script-src *", "javascript:1", "https://a,b",
					"null", "https://ü.example", "https://u@b.example"}
				t.FormOrigins = []string{"https://x.example\r\nX: y", "data:text/html,x", "https://ok.example/path?q"}
			}),
			policy: openPolicy + "form-action 'self' https://ok.example; base-uri 'none'; frame-ancestors 'none'",
		},
		{
			name: "forward by POST", next: with(func(t *gateway.NextAction) {
				t.Kind, t.Redirect = gateway.ActionRedirect, next("POST")
			}),
			status: 200,
			policy: openPolicy + "form-action https://acs.bank.example:8443; base-uri 'none'; frame-ancestors 'none'",
			has: []string{"Confirm with your bank",
				`<form id="forward" method="post" action="https://ACS.bank.example:8443/step?a=1%20b">`,
				`<input type="hidden" name="creq" value="e&#34;&lt;1">`, `<button class="button" type="submit">Continue</button>`},
		},
		{
			name: "forward by GET", next: with(func(t *gateway.NextAction) {
				t.Kind, t.Redirect = gateway.ActionRedirect, next("GET")
			}),
			status: 200,
			policy: openPolicy + "form-action https://acs.bank.example:8443; base-uri 'none'; frame-ancestors 'none'",
			has:    []string{`href="https://ACS.bank.example:8443/step?a=1%20b&amp;creq=e%22%3C1&amp;k=v&#43;w"`},
			not:    []string{"<form"},
		},
		{
			name: "forward nowhere", next: with(func(t *gateway.NextAction) {
				t.Kind, t.Redirect = gateway.ActionRedirect, &store.Redirect{URL: "javascript:alert(1)", Method: "GET"}
			}), status: 500,
			has: []string{"Something went wrong", `href="../auth/` + token + `"`}, not: []string{"javascript:"},
		},
		{
			name: "wait", next: with(func(t *gateway.NextAction) { t.Kind = gateway.ActionPoll }), status: 200,
			policy: openPolicy + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
			has: []string{`<noscript><meta http-equiv="refresh" content="2"></noscript>`, `data-turn="wait"`,
				`href="./` + token + `"`},
		},
		{
			name: "leave", next: with(func(t *gateway.NextAction) {
				t.Kind, t.URL = gateway.ActionReturn, "https://shop.example/ok?a=ü b&payment_id=1"
			}),
			status: 303, location: "https://shop.example/ok?a=%C3%BC%20b&payment_id=1",
		},
		{
			name: "leave in self", next: with(func(t *gateway.NextAction) {
				t.Kind, t.URL, t.Target = gateway.ActionReturn, "https://shop.example/ok#x", "_self"
			}), status: 303, location: "https://shop.example/ok#x",
		},
		{
			name: "leave from a frame", next: with(func(t *gateway.NextAction) {
				t.Kind, t.URL, t.Target = gateway.ActionReturn, "https://shop.example/ok", "_top"
			}), status: 200,
			has: []string{`href="https://shop.example/ok" target="_top" rel="noopener noreferrer" data-auto`,
				"Continue to Northwind Ceramics"},
		},
		{
			name: "leave in a new window waits for a click", next: with(func(t *gateway.NextAction) {
				t.Kind, t.URL, t.Target = gateway.ActionReturn, "https://shop.example/ok", "_blank"
			}), status: 200, has: []string{`target="_blank"`}, not: []string{"data-auto"},
		},
		{
			name: "leave to a host that no policy can name", next: with(func(t *gateway.NextAction) {
				t.Kind, t.URL = gateway.ActionReturn, "https://bücher.example/ok"
			}), status: 200, has: []string{`target="_self"`},
		},
		{
			name: "leave with a bad URL shows the result", next: with(func(t *gateway.NextAction) {
				t.Kind, t.URL, t.Status = gateway.ActionReturn, "javascript:alert(1)", gateway.ReturnPaid
			}), status: 200, has: []string{"Payment complete", `data-status="paid"`}, not: []string{"javascript:"},
		},
		{name: "cancelled", next: left(gateway.ReturnCancelled), status: 200, has: []string{"Payment cancelled"}},
		{name: "declined for good", next: left(gateway.ReturnDeclined), status: 200, has: []string{"Payment declined"}},
		{name: "expired", next: left(gateway.ReturnExpired), status: 200, has: []string{"This page has expired"}},
		{name: "undefined", next: left(gateway.ReturnUndefined), status: 200, has: []string{"Payment not confirmed yet"}},
		{name: "unknown end", next: left("?"), status: 200, has: []string{"Payment not confirmed yet"}},
		{name: "unknown turn", next: with(func(t *gateway.NextAction) { t.Kind = "?" }), status: 500, has: []string{"Something went wrong"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := show(t, c.next)
			body := bodyOf(w)
			require.Equal(t, c.status, w.Code)
			require.Equal(t, c.location, w.Header().Get("Location"))
			if c.policy != "" {
				require.Equal(t, c.policy, w.Header().Get("Content-Security-Policy"))
			}
			for _, text := range c.has {
				require.Contains(t, body, text)
			}
			for _, text := range c.not {
				require.NotContains(t, body, text)
			}
		})
	}
}

func left(status gateway.ReturnStatus) gateway.NextAction {
	return with(func(t *gateway.NextAction) { t.Kind, t.Status = gateway.ActionReturn, status })
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	t.Parallel()
	k := func(kind gateway.ActionKind) *kernel {
		return &kernel{next: with(func(t *gateway.NextAction) { t.Kind = kind }), backURL: "/x"}
	}
	for _, c := range []struct {
		name     string
		answer   *httptest.ResponseRecorder
		status   int
		referrer string
	}{
		{"form", call(k(gateway.ActionCollect), "GET", "/auth/"+token, ""), 200, "same-origin"},
		{"form with faults", call(k(gateway.ActionCollect), "POST", "/auth/"+token, "attempt=2"), 422, "same-origin"},
		{"paid", call(k(gateway.ActionCollect), "POST", "/auth/"+token, goodForm().Encode()), 303, "no-referrer"},
		{"wait", call(k(gateway.ActionPoll), "GET", "/auth/"+token, ""), 200, "no-referrer"},
		{"result", call(k(gateway.ActionReturn), "GET", "/auth/"+token, ""), 200, "no-referrer"},
		{"unknown link", call(k(gateway.ActionCollect), "GET", "/auth/other", ""), 404, "no-referrer"},
		{"return", call(k(gateway.ActionCollect), "GET", "/return/"+token, ""), 303, "no-referrer"},
		{"notification", call(k(gateway.ActionCollect), "POST", "/notify/"+token, "x"), 200, "no-referrer"},
		{"no such file", call(k(gateway.ActionCollect), "GET", "/page/assets/page.js", ""), 404, "no-referrer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := c.answer.Header()
			require.Equal(t, c.status, c.answer.Code)
			require.Equal(t, "no-store", h.Get("Cache-Control"))
			require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
			require.Equal(t, c.referrer, h.Get("Referrer-Policy"))
			require.Equal(t, "same-origin", h.Get("Cross-Origin-Opener-Policy"))
			require.Equal(t, "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(self), usb=()",
				h.Get("Permissions-Policy"))
			require.True(t, strings.HasPrefix(h.Get("Content-Security-Policy"), openPolicy))
			require.Empty(t, h.Values("Set-Cookie"))
		})
	}
}

func TestUnknownLinks(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/auth/nothing", "/auth/%0d%0aX:y", "/auth/a%20b", "/auth/%2e%2e",
		"/auth/" + strings.Repeat("a", 257), "/auth/<x>"} {
		w := call(&kernel{next: formAction()}, "GET", target, "")
		require.Equal(t, http.StatusNotFound, w.Code, target)
		require.Contains(t, bodyOf(w), "Page not found")
		require.NotContains(t, bodyOf(w), "<x>")
	}
	k := &kernel{next: formAction()}
	require.Equal(t, 404, call(k, "POST", "/auth/nothing", "a=1").Code)
	require.Equal(t, 404, call(k, "POST", "/auth/nothing/cancel", "").Code)
	require.Equal(t, 404, call(k, "GET", "/auth/a%20b/cancel", "").Code)
	require.Equal(t, 404, call(k, "GET", "/return/nothing", "").Code)
	require.Equal(t, 404, call(k, "POST", "/notify/nothing", "").Code)
	require.Equal(t, 404, call(k, "POST", "/notify/a%20b", "").Code)
}

func TestInternalErrorsTellNothing(t *testing.T) {
	t.Parallel()
	secret := errors.New("store: password is hunter2")
	for _, w := range []*httptest.ResponseRecorder{
		call(&kernel{turnErr: secret}, "GET", "/auth/"+token, ""),
		call(&kernel{next: formAction(), payErr: secret}, "POST", "/auth/"+token, goodForm().Encode()),
		call(&kernel{backErr: secret}, "GET", "/return/"+token, ""),
		call(&kernel{noteErr: secret}, "POST", "/notify/"+token, ""),
	} {
		require.Equal(t, 500, w.Code)
		require.NotContains(t, bodyOf(w), "hunter2")
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	body := bodyOf(show(t, formAction()))
	found := 0
	for _, part := range strings.Split(body, `="../page/assets/`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		w := call(&kernel{}, "GET", "/page/assets/"+name, "")
		require.Equal(t, 200, w.Code, name)
		require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"))
		require.Regexp(t, `^[a-z-]+\.[0-9a-f]{12}\.(css|js|svg)$`, name)
		require.NotContains(t, bodyOf(w), "<script")
		found++
	}
	require.GreaterOrEqual(t, found, 12)
}

func TestScriptIsSmallAndPlain(t *testing.T) {
	t.Parallel()
	for _, next := range []gateway.NextAction{formAction(), methodAction(applePay()), codeAction(), askAction(),
		with(func(t *gateway.NextAction) { t.Kind = gateway.ActionPoll })} {
		body := bodyOf(show(t, next))
		require.Equal(t, strings.Count(body, `<script src="../page/assets/`), strings.Count(body, "<script"))
		for _, script := range scriptsOf(t, next) {
			require.Contains(t, script, `"use strict"`)
			require.Less(t, len(script), 10_240)
			for _, sink := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write(", "eval(",
				"localStorage", "sessionStorage", "document.cookie"} {
				require.NotContains(t, script, sink)
			}
		}
	}
}

// scriptsOf returns the scripts of a page.
func scriptsOf(t *testing.T, next gateway.NextAction) (scripts []string) {
	t.Helper()
	for _, part := range strings.Split(bodyOf(show(t, next)), `<script src="../page/assets/`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		w := call(&kernel{}, "GET", "/page/assets/"+name, "")
		require.Equal(t, 200, w.Code)
		scripts = append(scripts, bodyOf(w))
	}
	require.NotEmpty(t, scripts)
	return scripts
}

func TestBehindPrefix(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("/pay/", http.StripPrefix("/pay", handler(&kernel{next: formAction()})))
	for _, c := range []struct{ method, target, location string }{
		{"POST", "/pay/auth/" + token, "./" + token},
		{"POST", "/pay/auth/" + token + "/cancel", "../" + token},
		{"GET", "/pay/auth/" + token + "/cancel", "../" + token},
	} {
		r := httptest.NewRequest(c.method, c.target, strings.NewReader(goodForm().Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		require.Equal(t, 303, w.Code)
		require.Equal(t, c.location, w.Header().Get("Location"))
		next, err := r.URL.Parse(w.Header().Get("Location"))
		require.NoError(t, err)
		require.Equal(t, "/pay/auth/"+token, next.Path)
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	page.Register(mux, &kernel{next: formAction()}, page.Options{})
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/auth/"+token, nil))
	require.Equal(t, 200, w.Code)
}

func TestOwnTemplates(t *testing.T) {
	t.Parallel()
	_, err := page.New(&kernel{}, page.Options{Templates: fstest.MapFS{
		"layout.html": {Data: []byte(`{{template "content" .}}`)},
		"form.html":   {Data: []byte(`{{define "content"}}{{`)},
		"wait.html":   {Data: []byte(`nothing`)},
	}})
	for _, text := range []string{"forward.html: missing", "show.html: missing", "ask.html: missing",
		"leave.html: missing", "result.html: missing", "problem.html: missing", "form.html:1",
		`wait.html: defines no "content"`} {
		require.ErrorContains(t, err, text)
	}
	require.NotContains(t, err.Error(), "layout.html: missing")
	require.Panics(t, func() { page.Handler(&kernel{}, page.Options{Templates: fstest.MapFS{}}) })
	require.Panics(t, func() { page.Register(http.NewServeMux(), &kernel{}, page.Options{Templates: fstest.MapFS{}}) })

	own := fstest.MapFS{}
	for _, name := range page.TemplateNames() {
		own[name] = &fstest.MapFile{Data: []byte(`{{define "content"}}<p>{{.Merchant}} {{.T.Pay}}</p>{{end}}`)}
	}
	own["layout.html"] = &fstest.MapFile{Data: []byte(`<!doctype html>{{template "content" .}}`)}
	h, err := page.New(&kernel{next: with(func(t *gateway.NextAction) {
		t.Merchant = "<b>"
	})}, page.Options{Templates: own})
	require.NoError(t, err)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/auth/"+token, nil))
	require.Equal(t, "<!doctype html><p>&lt;b&gt; Pay %s</p>", bodyOf(w))
}

func TestFailingTemplate(t *testing.T) {
	t.Parallel()
	own := fstest.MapFS{}
	for _, name := range page.TemplateNames() {
		own[name] = &fstest.MapFile{Data: []byte(`{{define "content"}}half{{.Nothing}}{{end}}`)}
	}
	own["layout.html"] = &fstest.MapFile{Data: []byte(`{{template "content" .}}`)}
	w := httptest.NewRecorder()
	var log bytes.Buffer
	opts := page.Options{Templates: own, Log: slog.New(slog.NewTextHandler(&log, nil))}
	page.Handler(&kernel{next: formAction()}, opts).ServeHTTP(w, httptest.NewRequest("GET", "/auth/"+token, nil))
	require.Equal(t, 500, w.Code)
	require.Equal(t, "Internal Server Error\n", bodyOf(w))
	require.Contains(t, log.String(), "template failed")
}
