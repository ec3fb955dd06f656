package browser_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/examples/server/shop"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/hpf/sdk"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// shopSite is a gateway as in production and the demo shop, each on its own origin.
type shopSite struct {
	*gatewaytest.Kit
	wire
	t          *testing.T
	base, shop string
	acquirer   *vcard.Connector
	clock      *clock
	traces     *traces
}

// newShopSite starts both. Any error that either logs fails the test.
func newShopSite(t *testing.T) *shopSite {
	t.Helper()
	s := &shopSite{wire: wire{seen: map[string][]string{}}, t: t, clock: &clock{}, traces: newTraces()}
	mux, own := http.NewServeMux(), http.NewServeMux()
	server := httptest.NewServer(s.tap("gateway", s.traces.into("answers of the gateway").answersTo(mux)))
	front := httptest.NewServer(s.tap("shop", s.traces.into("answers of the shop").answersTo(own)))
	t.Cleanup(server.Close)
	t.Cleanup(front.Close)
	s.base, s.shop = server.URL, front.URL
	errors := slog.New(slog.NewMultiHandler(slog.NewTextHandler(&strict{t: t},
		&slog.HandlerOptions{Level: slog.LevelError}),
		slog.NewJSONHandler(s.traces.into("logs"), &slog.HandlerOptions{Level: slog.LevelDebug - 4})))
	s.gateway(errors)
	checkout.Register(mux, s.Gateway)
	hpf.Register(mux, s.Gateway, hpf.Options{})
	page.Register(mux, s.Gateway, page.Options{Log: errors})
	mux.Handle("/vcard/", http.StripPrefix("/vcard", s.acquirer.Pages()))

	library := sdk.Library()
	merchant, err := shop.New(shop.Config{
		API: s.base, Public: s.base, Own: s.shop, Log: errors, Now: s.clock.now,
		Library: shop.Library{URL: s.base + "/" + library.Path, Integrity: library.Integrity},
		Accounts: []shop.Account{{Name: "Larkfield", Key: gatewaytest.MerchantKey,
			Password: store.NewSecret(gatewaytest.Password)}},
	})
	require.NoError(t, err)
	t.Cleanup(merchant.Close)
	own.Handle("/", merchant.Own())
	return s
}

func (s *shopSite) gateway(log *slog.Logger) {
	s.t.Helper()
	var err error
	s.acquirer, err = vcard.New(vcard.Config{
		Store:  noted{memory.New(), s.traces.into("store of the acquirer")},
		Secret: store.NewSecret("browser-acquirer-0001"), PublicURL: s.base + "/vcard", Now: s.clock.now,
	})
	require.NoError(s.t, err)
	s.Kit = gatewaytest.On(s.t, noted{memory.New(), s.traces.into("store")}, func(cfg *gateway.Config) {
		cfg.PublicURL, cfg.Now, cfg.Log = s.base, s.clock.now, log
		cfg.Connectors = map[string]methods.Connector{"vcard": s.acquirer}
	})
}

// order buys a mug and stops at the shop's own page, when the fields are ready.
func (s *shopSite) order(p *tab) (number string) { return s.orderAs(p, "") }

// orderAs is order with a box ticked first.
func (s *shopSite) orderAs(p *tab, ticked string) (number string) {
	s.t.Helper()
	p.open(s.shop + "/products/mug")
	if ticked != "" {
		p.press(ticked)
		p.until(`document.querySelector(` + quote(ticked) + `).checked`)
	}
	p.leave(func() { p.press(`button[formaction]`) })
	p.until(`!document.querySelector("#pay button").disabled`)
	at, err := url.Parse(read[string](p, `location.href`))
	require.NoError(s.t, err)
	number, ok := strings.CutSuffix(strings.TrimPrefix(at.Path, "/orders/"), "/pay")
	require.True(s.t, ok, at)
	return number
}

// typeCard types a card into the fields.
func (s *shopSite) typeCard(p *tab, number, expiry, code string) {
	s.t.Helper()
	for _, field := range [][2]string{{"card", number}, {"expiry", expiry}, {"cvv", code}} {
		p.reach(field[0])
		p.typeText(field[1])
	}
}

// reach puts the caret into a field. A frame of another process learns its position a moment after it was moved,
// and earlier clicks go elsewhere. So the field is scrolled into view first, and clicked again if need be.
func (p *tab) reach(kind string) {
	p.t.Helper()
	box := `document.getElementById(` + quote(kind) + `)`
	for range 10 {
		p.painted(box + `.scrollIntoView({block: "center", behavior: "instant"})`)
		p.press("#" + kind + " iframe")
		for range 5 {
			p.painted("")
			if read[bool](p, box+`.classList.contains("focus")`) {
				return
			}
		}
	}
	require.Fail(p.t, "no caret in "+kind, p.where())
}

// painted does something and waits until the page has been painted a few times afterwards.
func (p *tab) painted(what string) {
	p.t.Helper()
	read[bool](p, `(function (left) {
		`+what+`;
		window.isPainted = false;
		(function next() { if (left-- > 0) { setTimeout(next, 16); } else { window.isPainted = true; } })();
		return true;
	})(4)`)
	p.until(`window.isPainted`)
}

// said is the shop's message about a payment that was not begun.
func (s *shopSite) said(p *tab) string {
	s.t.Helper()
	p.press(`#pay button`)
	p.until(`!document.getElementById("message").hidden`)
	return read[string](p, `document.getElementById("message").textContent`)
}

// nothingLeaked checks that number and code are in as many requests as cards were collected, from a frame to the
// gateway, and in nothing else that was written, logged, answered or sent.
func (s *shopSite) nothingLeaked(collected int) {
	s.t.Helper()
	s.Work(s.t)
	for _, d := range s.Inbox.All() {
		s.traces.add("callbacks", fmt.Appendf(nil, "%s %s %s", d.URL, d.ContentType, d.Body))
	}
	for _, place := range []string{
		"store", "store of the acquirer", "answers of the gateway", "answers of the shop", "callbacks",
	} {
		require.Greater(s.t, s.traces.size(place), 300, "%s is listened to", place)
	}
	s.traces.forget("answers of the shop", `Number <code>4111 1111 1111 1111</code>`) // which card to type
	require.Empty(s.t, s.traces.of())
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []string
	for _, requests := range s.seen {
		for _, request := range requests {
			if holdsNumber([]byte(request)) || holdsCode([]byte(request)) {
				found = append(found, request)
			}
		}
	}
	require.Len(s.t, found, collected)
	for _, request := range found {
		require.True(s.t, strings.HasPrefix(request, "POST /sdk/collect "), request)
	}
}

// frames are the fields as tabs of their own, whose errors are collected.
func (s *shopSite) frames(p *tab) (list []*tab) {
	s.t.Helper()
	site := &fieldsSite{t: s.t, base: s.base}
	for _, kind := range []string{"card", "expiry", "cvv"} {
		f := site.frame(p, kind)
		f.listen()
		list = append(list, f)
	}
	return list
}

// capture is the traffic of a page and its fields from now on, as the browser reports it.
func (s *shopSite) capture(p *tab) *complaints {
	s.t.Helper()
	sent := &complaints{}
	for _, one := range append(s.frames(p), p) {
		require.NoError(s.t, chromedp.Listen(one.ctx, func(event any) {
			if e, ok := event.(*network.EventRequestWillBeSent); ok {
				sent.add(e.Request.URL + " " + posted(e.Request))
			}
		}))
		do(one, network.Enable, network.EnableParams{})
	}
	return sent
}

func posted(r *network.Request) (text string) {
	for _, part := range r.PostDataEntries {
		text += string(part.Bytes)
	}
	return text
}

// onlyToGateway checks that the browser sent number and code once, to the gateway, and nothing to other hosts than
// the two.
func (s *shopSite) onlyToGateway(sent *complaints) {
	s.t.Helper()
	var digits []string
	for _, request := range sent.all() {
		require.True(s.t, strings.HasPrefix(request, s.base+"/") || strings.HasPrefix(request, s.shop+"/"), request)
		if holdsNumber([]byte(request)) || holdsCode([]byte(request)) {
			digits = append(digits, request)
		}
	}
	require.Len(s.t, digits, 1, "%q", sent.all())
	require.True(s.t, strings.HasPrefix(digits[0], s.base+"/sdk/collect "))
}
