package main

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// backend is a merchant's backend: it sends requests as in the documents, and checks every answer and every
// callback. Of the gateway it knows only the address.
type backend struct {
	t        *testing.T
	base     string // of the gateway
	own      string // of the merchant's own site, for callbacks and returning payers
	client   *s2sclient.Client
	receiver *s2sclient.Receiver
	payer    *payer
	used     map[string]bool // actions that had a result
}

const s2sPassword = "backend-password-0001"

// newBackend starts the server for one merchant, and the merchant's site.
func newBackend(t *testing.T, sha256 bool) *backend {
	t.Helper()
	b := &backend{t: t, payer: newPayer(t), used: map[string]bool{}}
	b.client = &s2sclient.Client{HTTP: b.payer.client, Key: demoKey, Password: s2sPassword, SHA256: sha256,
		CryptoBrands: "crypto-currency crypto-btg"}
	b.receiver = b.client.Receiver()
	mux := http.NewServeMux()
	mux.Handle("/callback", b.receiver)
	mux.HandleFunc("/return", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<html>welcome back</html>"))
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	b.own = site.URL
	b.base, _ = start(t, "-store", "memory", "-config", b.config(sha256))
	return b
}

// config returns the server's configuration: one merchant with a MID without restrictions.
func (b *backend) config(sha256 bool) string {
	b.t.Helper()
	text, err := json.Marshal(map[string]any{
		"merchants": []map[string]any{{
			"id": "m1", "name": "Backend", "key": demoKey, "password": s2sPassword, "notification_url": b.own + "/callback",
		}},
		"mappings": []store.Mapping{
			{MerchantID: "m1", Protocol: store.S2SCard, SHA256: sha256}, {MerchantID: "m1", Protocol: store.S2SAPM, SHA256: sha256},
		},
		"mids": []store.MID{{
			ID: "live", MerchantID: "m1", Name: "Live", Connector: connector, Descriptor: "BACKEND", MOTO: true,
			ZeroAmount: true,
		}},
		"methods": []methods.Method{{ // no code of the catalogue has debits at a bank
			Code: "house-bank", Name: "House bank", Kind: methods.KindRedirect, Operations: []store.Operation{store.OpDebit},
		}},
	})
	require.NoError(b.t, err)
	file := filepath.Join(b.t.TempDir(), "config.json")
	require.NoError(b.t, os.WriteFile(file, text, 0o600))
	return file
}

// ask sends a request and checks the answer.
func (b *backend) ask(path string, f s2sclient.Fields) *s2sclient.Answer {
	b.t.Helper()
	sent := maps.Clone(f)
	for _, name := range []string{"term_url_3ds", "return_url", "payer_return_url"} {
		if sent[name] != "" {
			sent[name] = b.own + "/return"
		}
	}
	b.client.URL = b.base + path
	a, err := b.client.Do(b.t.Context(), sent)
	require.NoError(b.t, err)
	require.Empty(b.t, s2sclient.Check(a), "%s: %s", f["action"], a.Raw)
	return a
}

// do is ask for a request that must have this result; status may be empty.
func (b *backend) do(path string, f s2sclient.Fields, result, status string) *s2sclient.Answer {
	b.t.Helper()
	a := b.ask(path, f)
	require.Equal(b.t, result, a.Result(), string(a.Raw))
	require.Equal(b.t, status, a.Status(), string(a.Raw))
	b.used[f["action"]] = true
	return a
}

// refused is ask for a request that must be refused.
func (b *backend) refused(path string, f s2sclient.Fields, message string) {
	b.t.Helper()
	a := b.ask(path, f)
	require.Equal(b.t, "ERROR", a.Result(), string(a.Raw))
	require.Contains(b.t, string(a.Raw), message)
}

// requireCallbacks waits until the callbacks of a payment are these, in any order: they are delivered side by
// side.
func (b *backend) requireCallbacks(a *s2sclient.Answer, want ...string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	callbacks, err := b.receiver.Wait(ctx, a.TransID(), len(want))
	require.NoError(b.t, err, "%s, came: %v", a.Raw, callbacks)
	var got []string
	for _, c := range callbacks {
		got = append(got, c.String())
		require.NotEmpty(b.t, c.Formula, "the signature was not checked")
	}
	require.ElementsMatch(b.t, want, got)
}

// sendPayer takes a payer to the page of an answer, through its steps, and back to the merchant's site.
func (b *backend) sendPayer(a *s2sclient.Answer) {
	b.t.Helper()
	b.home(b.openNext(a))
}

// home takes a payer from a page of the gateway to the merchant's site.
func (b *backend) home(page *webPage) {
	b.t.Helper()
	page = b.payer.onward(page)
	// into another frame
	if leave := find(page.doc, func(n *html.Node) bool { return attr(n, "id") == "leave" }); leave != nil {
		page = b.payer.open(attr(leave, "href"))
	}
	require.Equal(b.t, b.own+"/return", page.url.String(), page.text)
}

// openNext opens redirect_url as a merchant's page makes a browser do.
func (b *backend) openNext(a *s2sclient.Answer) *webPage {
	b.t.Helper()
	target, form := a.Body.Text("redirect_url"), url.Values{}
	value, _ := a.Body.Get("redirect_params")
	switch params := value.(type) {
	case *s2sclient.Object:
		for _, name := range params.Names() {
			form.Set(name, params.Text(name))
		}
	case []any:
		for _, entry := range params {
			pair := entry.(*s2sclient.Object)
			form.Set(pair.Text("name"), pair.Text("value"))
		}
	}
	if a.Body.Text("redirect_method") == http.MethodGet {
		return b.payer.open(target)
	}
	r, err := http.NewRequest(http.MethodPost, target, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", b.own)
	return b.payer.send(r)
}
