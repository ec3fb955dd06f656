package page_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/store"
)

const startSession = "/paymentservices/startSession"

// appleHost is a wallet that gives merchant sessions to clients with the merchant's certificate.
type appleHost struct {
	*httptest.Server
	identity gateway.WalletIdentity
	asked    atomic.Int32
	body     atomic.Value // of the last request
	log      bytes.Buffer
}

// newAppleHost responds with answer, or with a good session.
func newAppleHost(t *testing.T, answer http.HandlerFunc) *appleHost {
	t.Helper()
	h := &appleHost{}
	var pool *x509.CertPool
	h.identity, pool = merchantIdentity(t)
	if answer == nil {
		answer = func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, ` {"nonce": "n1", "epochTimestamp": 1} `)
		}
	}
	h.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.asked.Add(1)
		body, _ := io.ReadAll(r.Body)
		h.body.Store(r.Method + " " + r.URL.Path + " " + r.TLS.PeerCertificates[0].Subject.CommonName + " " + string(body))
		answer(w, r)
	}))
	h.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}
	h.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	h.StartTLS()
	t.Cleanup(h.Close)
	return h
}

func (h *appleHost) options() page.Options {
	roots := x509.NewCertPool()
	roots.AddCert(h.Certificate())
	return page.Options{
		Apple: page.Apple{Hosts: []string{strings.TrimPrefix(h.URL, "https://")}, Roots: roots},
		Log:   slog.New(slog.NewTextHandler(&h.log, nil)),
	}
}

func merchantIdentity(t *testing.T) (gateway.WalletIdentity, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "merchant.example.shop"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(certificate))
	return gateway.WalletIdentity{
		Identifier: "merchant.example.shop", ShopName: "Zoë's “Shop”", Environment: store.WalletTest,
		Certificate: string(certificate),
		PrivateKey:  store.NewSecret(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))),
	}, pool
}

// ask sends the request of the page's script, with headers changed: an empty value removes one.
func (h *appleHost) ask(k *kernel, opts page.Options, link, address string,
	header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "https://pay.example"+link,
		strings.NewReader(url.Values{"validation_url": {address}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Origin", "https://pay.example")
	for i := 0; i+1 < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i+1] == "" {
			r.Header.Del(header[i])
		}
	}
	w := httptest.NewRecorder()
	page.Handler(k, opts).ServeHTTP(w, r)
	return w
}

const walletLink = "/auth/" + token + "/wallet"

func TestMerchantSession(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, domain, host string }{
		{"the host that was asked for", "", "pay.example"},
		{"the host that is registered", "pay.example.com", "pay.example.com"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newAppleHost(t, nil)
			opts := h.options()
			opts.Apple.Domain = c.domain
			w := h.ask(&kernel{identity: &h.identity}, opts, walletLink, h.URL+startSession)
			require.Equal(t, 200, w.Code, h.log.String())
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			require.JSONEq(t, `{"nonce":"n1","epochTimestamp":1}`, bodyOf(w))
			asked, body, _ := strings.Cut(h.body.Load().(string), "{")
			require.Equal(t, "POST /paymentservices/startSession merchant.example.shop ", asked)
			require.JSONEq(t, `{"merchantIdentifier":"merchant.example.shop","displayName":"Zoë's “Shop”",`+
				`"initiative":"web","initiativeContext":"`+c.host+`"}`, "{"+body)
		})
	}
}

func TestMerchantSessionIsRefused(t *testing.T) {
	t.Parallel()
	const address = "https://apple-pay-gateway.apple.com" + startSession // not one of the hosts in this test
	for _, c := range []struct {
		name   string
		link   string
		url    string // a path is on the host
		err    error
		header []string
		status int
	}{
		{"another site", walletLink, startSession, nil, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		{"a site below ours", walletLink, startSession, nil, []string{"Sec-Fetch-Site", "same-site", "Origin", "https://x.pay.example"}, 403},
		{"no site at all", walletLink, startSession, nil, []string{"Sec-Fetch-Site", "none"}, 403},
		{"an old browser on another site", walletLink, startSession, nil, []string{"Sec-Fetch-Site", "", "Origin", "https://evil.example"}, 403},
		{"an origin that is hidden", walletLink, startSession, nil, []string{"Sec-Fetch-Site", "", "Origin", "null"}, 403},
		{"who does not say", walletLink, startSession, nil, []string{"Sec-Fetch-Site", "", "Origin", ""}, 403},
		{"unknown session", "/auth/other/wallet", startSession, nil, nil, 404},
		{"no token", "/auth/a%20b/wallet", startSession, nil, nil, 404},
		{"a session without the wallet", walletLink, startSession, gateway.ErrWallet, nil, 409},
		{"our own fault", walletLink, startSession, errors.New("hunter2"), nil, 500},
		{"a host that is not known", walletLink, address, nil, nil, 400},
		{"another path", walletLink, "/other", nil, nil, 400},
		{"no address", walletLink, "", nil, nil, 400},
		{"not a form", walletLink, startSession, nil, []string{"Content-Type", "application/json"}, 400},
		{"too long", walletLink, "/" + strings.Repeat("a", 65<<10), nil, nil, 413},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newAppleHost(t, nil)
			k := &kernel{identity: &h.identity, identityErr: c.err}
			address := c.url
			if strings.HasPrefix(address, "/") {
				address = h.URL + address
			}
			w := h.ask(k, h.options(), c.link, address, c.header...)
			require.Equal(t, c.status, w.Code)
			require.Zero(t, h.asked.Load(), "the wallet was not asked")
			require.NotContains(t, bodyOf(w), "hunter2")
			require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
		})
	}
	h := newAppleHost(t, nil)
	require.Equal(t, 200, h.ask(&kernel{identity: &h.identity}, h.options(), walletLink, h.URL+startSession,
		"Sec-Fetch-Site", "").Code, "an old browser on our site")
	require.Equal(t, 405, call(&kernel{identity: &h.identity}, "GET", walletLink, "").Code)
}

func TestMerchantSessionFails(t *testing.T) {
	t.Parallel()
	answers := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	whole := `{"a":"` + strings.Repeat("a", 64<<10-len(`{"a":""}`)) + `"}`
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		change func(*gateway.WalletIdentity, *page.Options)
		status int
	}{
		{"exactly as much as fits", answers(200, whole), nil, 200},
		{"too much", answers(200, whole+" "), nil, 502},
		{"no object", answers(200, `["a"]`), nil, 502},
		{"no JSON", answers(200, `{"a":`), nil, 502},
		{"two objects", answers(200, `{}{}`), nil, 502},
		{"nothing", answers(200, ``), nil, 502},
		{"an error", answers(417, `{"statusMessage":"no"}`), nil, 502},
		{"no content", answers(204, ``), nil, 502},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, nil, 502},
		{"a host with an unknown certificate", nil, func(_ *gateway.WalletIdentity, o *page.Options) { o.Apple.Roots = nil }, 502},
		{"no certificate", nil, func(i *gateway.WalletIdentity, _ *page.Options) { i.Certificate = "" }, 502},
		{"no key", nil, func(i *gateway.WalletIdentity, _ *page.Options) {
			i.PrivateKey = store.NewSecret("-----BEGIN hunter2-----")
		}, 502},
		{"a certificate in the place of the key", nil, func(i *gateway.WalletIdentity, _ *page.Options) { i.PrivateKey = store.NewSecret(i.Certificate) }, 502},
		{"the certificate of another", nil, func(i *gateway.WalletIdentity, _ *page.Options) {
			other, _ := merchantIdentity(t)
			i.Certificate, i.PrivateKey = other.Certificate, other.PrivateKey
		}, 502},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newAppleHost(t, c.answer)
			opts := h.options()
			if c.change != nil {
				c.change(&h.identity, &opts)
			}
			w := h.ask(&kernel{identity: &h.identity}, opts, walletLink, h.URL+startSession)
			require.Equal(t, c.status, w.Code, h.log.String())
			if c.status == 200 {
				require.True(t, json.Valid(w.Body.Bytes()))
				return
			}
			require.Equal(t, "Bad Gateway\n", bodyOf(w))
			require.Contains(t, h.log.String(), "no merchant session")
			require.NotContains(t, h.log.String(), "BEGIN")
			require.NotContains(t, h.log.String(), "hunter2")
			require.Zero(t, elsewhere.Load(), "a redirect is not followed")
		})
	}
}

func TestDomainFile(t *testing.T) {
	t.Parallel()
	const path = "/.well-known/apple-developer-merchantid-domain-association"
	require.Equal(t, 404, call(&kernel{}, "GET", path, "").Code)
	w := httptest.NewRecorder()
	h := page.Handler(&kernel{}, page.Options{Apple: page.Apple{DomainFile: []byte("7B22")}})
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	require.Equal(t, 200, w.Code)
	require.Equal(t, "7B22", bodyOf(w))
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	require.NotPanics(t, func() { // a host may serve the file itself
		mux := http.NewServeMux()
		mux.HandleFunc("GET "+path, func(http.ResponseWriter, *http.Request) {})
		page.Register(mux, &kernel{}, page.Options{})
	})
}
