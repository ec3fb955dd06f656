package browser_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// site is a gateway of one test, and the merchant's shop on another origin.
type site struct {
	*gatewaytest.Kit
	t        *testing.T
	base     string // origin of the gateway
	shop     string // origin of the merchant
	acquirer *vcard.Connector
	clock    *clock
}

// clock is the real time, which a test can move forward, because the browser's own clock runs too.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// newSite starts both. Any error that the gateway logs fails the test.
func newSite(t *testing.T) *site {
	t.Helper()
	mux := http.NewServeMux()
	server, shop := httptest.NewServer(mux), httptest.NewServer(http.HandlerFunc(shopPage))
	t.Cleanup(server.Close)
	t.Cleanup(shop.Close)
	s := &site{t: t, base: server.URL, shop: shop.URL, clock: &clock{}}
	var err error
	s.acquirer, err = vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("browser-acquirer-0001"), PublicURL: s.base + "/vcard", Now: s.clock.now,
	})
	require.NoError(t, err)
	errors := slog.New(slog.NewTextHandler(&strict{t: t}, &slog.HandlerOptions{Level: slog.LevelError}))
	s.Kit = gatewaytest.New(t, func(cfg *gateway.Config) {
		cfg.PublicURL, cfg.Now, cfg.Log = s.base, s.clock.now, errors
		cfg.Connectors = map[string]methods.Connector{"vcard": s.acquirer}
		cfg.Crypto = []methods.Currency{{Code: "USDT", Exponent: 6}}
	})
	options := page.Options{Log: errors}
	checkout.Register(mux, s.Gateway)
	page.Register(mux, s.Gateway, options)
	mux.Handle("/vcard/", http.StripPrefix("/vcard", s.acquirer.Pages()))
	mux.Handle("/broken/", http.StripPrefix("/broken",
		page.Handler(broken{s.Gateway}, page.Options{}))) // its log says what is wrong
	mux.Handle("/bare/", http.StripPrefix("/bare", page.Handler(bare{s.Gateway}, options)))
	return s
}

// shopPage is every page of the merchant.
func shopPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Shop</title><body data-shop="%s"><h1>Shop</h1>`,
		strings.Trim(r.URL.Path, "/"))
}

// strict fails a test for every line.
type strict struct{ t *testing.T }

func (s *strict) Write(line []byte) (int, error) {
	s.t.Errorf("the gateway says: %s", bytes.TrimSpace(line))
	return len(line), nil
}

// bare is a gateway without the merchant's URLs, so that the page itself shows the end.
type bare struct{ *gateway.Gateway }

// NextAction is the gateway's without URLs.
func (b bare) NextAction(ctx context.Context, token string) (*gateway.NextAction, error) {
	next, err := b.Gateway.NextAction(ctx, token)
	if err == nil {
		next.URL = ""
	}
	return next, err
}

// order is the number of every order: a site serves one.
const order = "ORD-1"

// request is a session request of a test payment that returns to the shop.
func (s *site) request() gateway.SessionRequest {
	r := gatewaytest.Request(order, "10.00")
	r.SuccessURL, r.CancelURL = s.shop+"/success?cart=1", s.shop+"/cancel"
	r.ExpiryURL, r.ErrorURL = s.shop+"/expiry", s.shop+"/error"
	return r
}

// session creates a session and returns its link.
func (s *site) session(r gateway.SessionRequest) (link string) {
	s.t.Helper()
	session, err := s.Merchant(gatewaytest.TestKey).CreateSession(s.t.Context(), r)
	require.NoError(s.t, err)
	require.True(s.t, strings.HasPrefix(session.RedirectURL, s.base+"/auth/"), session.RedirectURL)
	return session.RedirectURL
}

// payment is the newest payment of the order.
func (s *site) payment() store.Payment {
	s.t.Helper()
	results, err := s.Merchant(gatewaytest.TestKey).Status(s.t.Context(), gateway.Lookup{OrderNumber: order})
	require.NoError(s.t, err)
	return results[0].Payment
}

// booked is how often the acquirer has taken money or held it.
func (s *site) booked() (effects int) {
	s.t.Helper()
	entries, err := s.acquirer.Ledger(s.t.Context())
	require.NoError(s.t, err)
	for _, e := range entries {
		effects += e.Effects
	}
	return effects
}
