package browser_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/examples/server/shop"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/hpf/sdk"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// TestSubscription subscribes in the demo shop and waits for its payments.
func TestSubscription(t *testing.T) {
	b := start(t)
	t.Run("shelf", func(t *testing.T) { t.Parallel(); testClubShelf(t, b) })
	t.Run("page", func(t *testing.T) { t.Parallel(); testClubPage(t, b) })
	t.Run("no script", func(t *testing.T) { t.Parallel(); testClubNoScript(t, b) })
	t.Run("declined", func(t *testing.T) { t.Parallel(); testClubDeclined(t, b) })
	t.Run("fields", func(t *testing.T) { t.Parallel(); testClubFields(t, b) })
}

// newClub is the demo as it runs: gateway and shop on one origin, the shop on another one as well, in real time,
// with workers that do due work and send callbacks. Any error that either logs fails the test.
func newClub(t *testing.T) (base, own string) {
	t.Helper()
	mux, front := http.NewServeMux(), http.NewServeMux()
	server, shopServer := httptest.NewServer(mux), httptest.NewServer(front)
	t.Cleanup(server.Close)
	t.Cleanup(shopServer.Close)
	log := slog.New(slog.NewTextHandler(&strict{t: t}, &slog.HandlerOptions{Level: slog.LevelError}))
	clock := &clock{}
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("browser-acquirer-0001"), PublicURL: server.URL + "/vcard",
		Now: clock.now,
	})
	require.NoError(t, err)
	notifier := &callback.HTTPNotifier{Dial: callback.Dial{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}
	t.Cleanup(notifier.Close)
	kit := gatewaytest.On(t, memory.New(), func(cfg *gateway.Config) {
		cfg.PublicURL, cfg.Now, cfg.Log, cfg.Notifier = server.URL, clock.now, log, notifier
		cfg.Connectors = map[string]methods.Connector{"vcard": acquirer}
	})
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Larkfield", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), NotificationURL: server.URL + "/demo/callback",
	}))
	library := sdk.Library()
	merchant, err := shop.New(shop.Config{
		API: server.URL, Public: server.URL, Own: shopServer.URL, Log: log, Now: clock.now,
		Library: shop.Library{URL: server.URL + "/" + library.Path, Integrity: library.Integrity},
		Accounts: []shop.Account{{Name: "Larkfield", Key: gatewaytest.MerchantKey,
			Password: store.NewSecret(gatewaytest.Password)}},
	})
	require.NoError(t, err)
	t.Cleanup(merchant.Close)
	checkout.Register(mux, kit.Gateway)
	s2s.Register(mux, kit.Gateway)
	hpf.Register(mux, kit.Gateway, hpf.Options{})
	page.Register(mux, kit.Gateway, page.Options{Log: log})
	mux.Handle("/vcard/", http.StripPrefix("/vcard", acquirer.Pages()))
	merchant.Register(mux)
	front.Handle("/", merchant.Own())
	running(t, kit.Gateway)
	return server.URL, shopServer.URL
}

// running does what is due until the test ends.
func running(t *testing.T, gw *gateway.Gateway) {
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { _ = gw.Run(ctx) }) // it ends with ctx, and returns only its error
	t.Cleanup(func() { cancel(); work.Wait() })
}

// clubDevices are the sizes and colours in which the pages of the shop are checked.
func clubDevices() []device {
	wide, small := desktop(), phone()
	small.name, small.width, small.height = "pocket", 390, 844
	return []device{wide, wide.dark(), small, small.dark()}
}

// subscribe goes from the product to the payment page.
func (p *tab) subscribe(base string) {
	p.t.Helper()
	p.open(base + "/products/tea-club")
	p.leave(func() { p.press(`form.stack button:not([formaction])`) })
	require.Equal(p.t, "form", p.turn(), p.where())
	require.Contains(p.t, read[string](p, `document.getElementById("subscription").innerText`),
		"every month · 11 payments")
	require.Contains(p.t, read[string](p, `document.querySelector("#pay > .button").textContent`), "Subscribe and pay €")
	p.fits("payment")
}

// follow goes from the return page to the page of the order.
func (p *tab) follow(heading string) {
	p.t.Helper()
	require.Equal(p.t, heading, read[string](p, `document.querySelector("h1").textContent`), p.where())
	require.Contains(p.t, read[string](p, `document.body.innerText`), "hash valid")
	p.leave(func() { p.press(`.ending a.button`) })
}

// plan is the subscription on the page of an order: its state and the lines of its table.
func (p *tab) plan() []string {
	p.t.Helper()
	return strings.Split(read[string](p, planText), "\n")
}

// planText leaves out when a payment was made.
const planText = `[document.querySelector("#plan h2 .status").textContent].concat(Array.from(
	document.querySelectorAll("#plan tbody tr"),
	(row) => [0, 2, 3].map((i) => row.cells[i].textContent.trim()).join(", "))).join("\n")`

// planBecomes waits until the page shows these lines by itself.
func (p *tab) planBecomes(lines ...string) {
	p.t.Helper()
	p.until(planText + ` === ` + quote(strings.Join(lines, "\n")))
}

const (
	firstBox = "First box, 9.00 EUR, settled"
	monthOne = "Month 1, 14.50 EUR, settled"
)

// fits checks that nothing is cut off.
func (p *tab) fits(state string) {
	p.t.Helper()
	p.shot("club "+state, "en")
	require.LessOrEqual(p.t, p.overflow(), 0, state)
	require.Empty(p.t, read[[]string](p, brokenDates), "dates that break, "+state)
}

// brokenDates lists dates and times that take more than one line.
const brokenDates = `Array.from(document.querySelectorAll(".moment span")).filter(function (e) {
	return e.getClientRects().length > 1;
}).map(function (e) { return e.textContent; })`

// looksGood checks that nothing is cut off and that the page is accessible.
func (p *tab) looksGood(state string) {
	p.t.Helper()
	p.fits(state)
	failing, _ := p.axe()
	require.Empty(p.t, failing, state)
}

// testClubShelf: what a visitor sees before buying.
func testClubShelf(t *testing.T, b *chromium) {
	for _, d := range append(clubDevices(), phone()) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			base, _ := newClub(t)
			p := b.tab(t, d)
			p.open(base + "/")
			p.looksGood("home")
			p.leave(func() { p.press(`a[href="/products/tea-club"]`) })
			require.False(t, p.has("#hold"))
			p.looksGood("product")
			p.quiet()
		})
	}
}

// testClubPage: the page of the order shows by itself what the gateway does, and its buttons work.
func testClubPage(t *testing.T, b *chromium) {
	for _, d := range clubDevices() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			base, _ := newClub(t)
			p := b.tab(t, d)
			p.subscribe(base)
			p.pay("01/2038")
			p.follow("Thank you")
			p.planBecomes("runs", firstBox, monthOne)

			p = p.afresh(b)
			p.looksGood("runs")
			p.leave(func() { p.press("#pause") })
			p.planBecomes("paused", firstBox, monthOne)
			p.fits("paused")

			p = p.afresh(b)
			p.leave(func() { p.press("#run") })
			p.planBecomes("runs", firstBox, monthOne)
			p.leave(func() { p.press("#unsubscribe") })
			p.planBecomes("cancelled", firstBox, monthOne)
			require.False(t, p.has(".steer"))
			p.unfold()
			p.fits("cancelled")
			said := read[string](p, `document.getElementById("said").textContent`)
			for _, text := range []string{
				"CREATE_SCHEDULE", "PAUSE_SCHEDULE", "RUN_SCHEDULE", "DESCHEDULE", `"recurring_init": true`,
			} {
				require.Contains(t, said, text)
			}
			p.quiet()
		})
	}
}

// afresh is the page in a new tab with its own time limit. The old one had no errors.
func (p *tab) afresh(b *chromium) *tab {
	p.t.Helper()
	p.quiet()
	other := b.tab(p.t, p.device)
	other.open(read[string](p, `location.origin + location.pathname`))
	return other
}

// unfold opens everything that can be opened.
func (p *tab) unfold() {
	p.t.Helper()
	read[bool](p, `document.querySelectorAll("details").forEach((d) => { d.open = true; }), true`)
}

// testClubNoScript: without JavaScript the page shows the news when it is reloaded.
func testClubNoScript(t *testing.T, b *chromium) {
	base, _ := newClub(t)
	p := b.tab(t, phone().without())
	p.subscribe(base)
	p.pay("01/2038")
	p.follow("Thank you")
	for len(p.plan()) < 3 {
		p.open(read[string](p, `location.href`))
	}
	require.Equal(t, []string{"runs", firstBox, monthOne}, p.plan())
	p.fits("runs, no script")
	p.leave(func() { p.press("#unsubscribe") })
	require.Equal(t, []string{"cancelled", firstBox, monthOne}, p.plan())
	p.quiet()
}

// testClubDeclined: a declined first payment begins no subscription.
func testClubDeclined(t *testing.T, b *chromium) {
	base, _ := newClub(t)
	p := b.tab(t, desktop())
	p.subscribe(base)
	p.pay("02/2038")
	p.leave(func() { p.press(quitButton) })
	p.follow("Not paid")
	p.planBecomes("waits", "First box, 9.00 EUR, decline Declined by processing.")
	require.False(t, p.has(".steer"))
	p.fits("declined")
	p.resize(phone())
	p.fits("declined, narrow")
	p.quiet()
}

// testClubFields: the shop's own page sells it as well.
func testClubFields(t *testing.T, b *chromium) {
	_, own := newClub(t)
	p := b.tab(t, desktop())
	p.open(own + "/products/tea-club")
	p.leave(func() { p.press(`button[formaction]`) })
	p.until(`!document.querySelector("#pay button").disabled`)
	require.False(t, p.has("#wrap"))
	p.fits("fields")
	(&shopSite{t: t}).typeCard(p, testNumber, "05/2038", testCode)
	p.leave(func() { p.press(`#pay button`) })
	p.onward()
	p.follow("Thank you")
	p.planBecomes("runs", firstBox, monthOne)
	p = p.afresh(b)
	p.unfold()
	p.looksGood("unfolded")
	p.quiet()
}
