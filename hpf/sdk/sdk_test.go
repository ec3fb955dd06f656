package sdk_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/hpf/sdk"
)

const (
	knownSession = "0190b5a2-0000-7000-8000-000000000001"
	knownToken   = "token-of-the-session"
	shop         = "https://shop.example"
	good         = `{"card_number":"4111111111111111","expiry":"01/30","cvv":"123"}`
)

// fake keeps one session. Every method returns fault when it is set.
type fake struct {
	mu      sync.Mutex
	origins []string
	fault   error
	cards   []sdk.Card

	optional bool // the code
}

func (f *fake) Origins(_ context.Context, session string) ([]string, error) {
	if f.fault == nil && session != knownSession {
		return nil, gateway.ErrNoSession
	}
	return f.origins, f.fault
}

func (f *fake) CodeOptional(_ context.Context, session string) (bool, error) {
	if f.fault == nil && session != knownSession {
		return false, gateway.ErrNoSession
	}
	return f.optional, f.fault
}

func (f *fake) Collect(_ context.Context, token string, card sdk.Card) error {
	if f.fault != nil {
		return f.fault
	}
	if token != knownToken {
		return gateway.ErrNoSession
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cards = append(f.cards, card)
	return nil
}

func serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func get(t *testing.T, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	return serve(h, httptest.NewRequest(http.MethodGet, path, nil))
}

// post returns a request as the card's frame sends it.
func post(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "https://pay.example/sdk/collect", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "https://pay.example")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Token", knownToken)
	return r
}

func TestFrame(t *testing.T) {
	t.Parallel()
	h := sdk.Handler(&fake{origins: []string{shop}}, sdk.Options{})
	for name, want := range map[string]string{"card": "cc-number", "expiry": "cc-exp", "cvv": "cc-csc"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := get(t, h, "/sdk/frame/"+name+".html?session="+knownSession)
			require.Equal(t, http.StatusOK, w.Code)
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			policy := w.Header().Get("Content-Security-Policy")
			require.Contains(t, policy, "default-src 'none'; script-src 'self'")
			require.True(t, strings.HasSuffix(policy, "frame-ancestors "+shop), policy)
			require.NotContains(t, policy, "unsafe")
			require.Contains(t, policy, "require-trusted-types-for 'script'; trusted-types 'none'")
			require.Contains(t, w.Body.String(), `autocomplete="`+want+`"`)
			require.Contains(t, w.Body.String(), `data-origins="`+shop+`"`)
			require.NotContains(t, w.Body.String(), "style=")
		})
	}
}

// A host's origins cannot widen the policy.
func TestFrameAncestors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		origins []string
		want    string
	}{
		{"none", nil, "'none'"},
		{"whole URL", []string{"https://Shop.Example:443/cart?x=1"}, shop},
		{"twice", []string{shop, shop + "/a"}, shop},
		{"two", []string{shop, "http://127.0.0.1:8080"}, shop + " http://127.0.0.1:8080"},
		{"star", []string{"*", "https://*.example", "https:"}, "'none'"},
		{"injection", []string{"https://a.example; script-src *", "https://a b", "https://a,b", "javascript:alert(1)", "https://u@a.example"}, "'none'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := get(t, sdk.Handler(&fake{origins: c.origins}, sdk.Options{}), "/sdk/frame/card.html?session="+knownSession)
			_, ancestors, _ := strings.Cut(w.Header().Get("Content-Security-Policy"), "frame-ancestors ")
			require.Equal(t, c.want, ancestors)
		})
	}
}

func TestFrameRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, query string
		fault       error
		want        int
	}{
		{"no session", "", nil, http.StatusForbidden},
		{"unknown session", "?session=other", nil, http.StatusForbidden},
		{"no id", "?session=%3Cscript%3E", nil, http.StatusForbidden},
		{"too long", "?session=" + strings.Repeat("a", 200), nil, http.StatusForbidden},
		{"store down", "?session=" + knownSession, errors.New("disk on fire"), http.StatusInternalServerError},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := get(t, sdk.Handler(&fake{origins: []string{shop}, fault: c.fault}, sdk.Options{}),
				"/sdk/frame/card.html"+c.query)
			require.Equal(t, c.want, w.Code)
			require.Contains(t, w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'")
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			require.NotContains(t, w.Body.String(), "fire")
			require.NotContains(t, w.Body.String(), "<script>")
		})
	}
}

// An internal error is in the host's log, for a frame and for a card.
func TestLog(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*http.Request{
		"frame":   httptest.NewRequest(http.MethodGet, "/sdk/frame/card.html?session="+knownSession, nil),
		"collect": post(good),
	} {
		var log bytes.Buffer
		opts := sdk.Options{Log: slog.New(slog.NewTextHandler(&log, nil))}
		require.Equal(t, http.StatusInternalServerError,
			serve(sdk.Handler(&fake{fault: errors.New("the disk is full")}, opts), r).Code, name)
		require.Contains(t, log.String(), "the disk is full", name)
	}
}
