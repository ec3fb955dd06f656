package browser_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// TestHostedShop pays in the demo shop, on its own page with the gateway's fields, with everything behind them as
// in production.
func TestHostedShop(t *testing.T) {
	b := start(t)
	t.Run("cards", func(t *testing.T) { t.Parallel(); testShopCards(t, b) })
	t.Run("retry", func(t *testing.T) { t.Parallel(); testShopRetry(t, b) })
	t.Run("update", func(t *testing.T) { t.Parallel(); testShopUpdate(t, b) })
	t.Run("undefined", func(t *testing.T) { t.Parallel(); testShopUndefined(t, b) })
	t.Run("expired", func(t *testing.T) { t.Parallel(); testShopExpired(t, b) })
}

// dark is the device in the dark colour scheme.
func (d device) dark() device {
	d.name, d.media = d.name+" dark", map[string]string{"prefers-color-scheme": "dark"}
	return d
}

// testShopCards: every documented test card, from the fields to the shop's own answer.
func testShopCards(t *testing.T, b *chromium) {
	for _, c := range []struct {
		name, expiry string
		device       device
		heading      string
		status       store.Status
		ticked       string
	}{
		{"settled", "01/2038", desktop(), "Thank you", store.Settled, ""},
		{"settled on a phone", "01/2038", phone().dark(), "Thank you", store.Settled, ""},
		{"declined", "02/2038", desktop().dark(), "Not paid", store.Declined, ""},
		{"authorized", "03/2038", desktop(), "Thank you", store.Pending, "#hold"},
		{"3-D Secure", "05/2038", desktop(), "Thank you", store.Settled, ""},
		{"3-D Secure on a phone", "05/2038", phone(), "Thank you", store.Settled, ""},
		{"3-D Secure, declined", "06/2038", desktop(), "Not paid", store.Declined, ""},
		{"bank", "12/2038", desktop(), "Thank you", store.Settled, ""},
		{"bank, declined", "12/2039", desktop(), "Not paid", store.Declined, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, p := newShopSite(t), b.tab(t, c.device)
			number := s.orderAs(p, c.ticked)
			p.shot("hpf "+c.name+" empty", "en")
			sent := s.capture(p)
			s.typeCard(p, testNumber, c.expiry, testCode)
			require.Zero(t, p.overflow())
			p.shot("hpf "+c.name+" filled", "en")
			p.leave(func() { p.press(`#pay button`) })
			p.onward()
			s.arrived(p, number, c.heading)
			p.shot("hpf "+c.name+" end", "en")
			require.Equal(t, c.status, s.Payment(t, number).Status)
			require.Equal(t, "18.00", s.Payment(t, number).Order.Amount)
			if c.ticked != "" {
				s.captureFails(number)
			}
			p.quiet()
			s.onlyToGateway(sent)
			s.nothingLeaked(1)
		})
	}
}

// captureFails: the card of 03/2038 is authorized, and its capture is declined.
func (s *shopSite) captureFails(number string) {
	s.t.Helper()
	r, err := s.Shop().Capture(s.t.Context(), gateway.FollowUp{PaymentID: s.Payment(s.t, number).ID})
	require.NoError(s.t, err)
	require.Equal(s.t, store.Fail, r.Transaction.Outcome)
	require.Equal(s.t, store.Pending, s.Payment(s.t, number).Status)
}

// testShopRetry: after a decline the payer tries other cards, by fields of the same session, until one is approved.
func testShopRetry(t *testing.T, b *chromium) {
	s, p := newShopSite(t), b.tab(t, desktop())
	number := s.order(p)
	s.typeCard(p, testNumber, "02/38", testCode)
	p.leave(func() { p.press(`#pay button`) })
	s.arrived(p, number, "Not paid")
	first := s.Payment(t, number)
	require.Equal(t, store.Declined, first.Status)

	p.leave(func() { p.press(`a[href$="/pay"]`) })
	p.until(`!document.querySelector("#pay button").disabled`)
	require.False(t, p.has("#wrap"), "the session cannot be updated any more")
	s.typeCard(p, testNumber, "05/38", testCode)
	p.leave(func() { p.press(`#pay button`) })
	p.onward()
	s.arrived(p, number, "Thank you")
	require.False(t, p.has(`a[href$="/pay"]`), "paid is paid")
	second := s.Payment(t, number)
	require.Equal(t, store.Settled, second.Status)
	require.NotEqual(t, first.ID, second.ID)
	p.quiet()
	s.nothingLeaked(2)
}

// arrived checks that the payer is back in the shop, which shows the result.
func (s *shopSite) arrived(p *tab, number, heading string) {
	s.t.Helper()
	p.until(`location.pathname === ` + quote("/orders/"+number+"/return"))
	require.Equal(s.t, s.shop, read[string](p, `location.origin`))
	require.Equal(s.t, heading, read[string](p, `document.querySelector("h1").textContent`), p.where())
	require.Contains(s.t, read[string](p, `document.body.innerText`), "hash valid")
}

// testShopUpdate: the amount changes after the card was collected, and the new one is charged.
func testShopUpdate(t *testing.T, b *chromium) {
	s, p := newShopSite(t), b.tab(t, desktop())
	number := s.order(p)
	sent := s.capture(p)
	frames := s.frames(p)
	s.typeCard(p, testNumber, "01/38", testCode)
	p.press("#wrap")
	for _, f := range frames {
		f.quiet()
	}
	require.Equal(t, "21.50 EUR", read[string](p, `document.getElementById("total").textContent`))
	p.leave(func() { p.press(`#pay button`) })
	s.arrived(p, number, "Thank you")
	s.onlyToGateway(sent)
	require.Less(t, s.first("POST /sdk/collect"), s.first("PUT /api/v1/session/update"))
	require.Less(t, s.first("PUT /api/v1/session/update"), s.first("POST /api/v1/processing/purchase/card"))

	require.Equal(t, "21.50", s.Payment(t, number).Order.Amount)
	entries, err := s.acquirer.Ledger(t.Context())
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, store.MustAmount("21.50"), entries[0].Amount)
	s.Work(t)
	require.Equal(t, "21.50", s.Inbox.Fields(t)[0].Get("order_amount"))
	p.quiet()
	s.nothingLeaked(1)
}

// first is when a request of that kind first reached the gateway, counted in requests; -1 for never.
func (s *shopSite) first(request string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, seen := range s.seen["gateway"] {
		if strings.HasPrefix(seen, request+" ") {
			return i
		}
	}
	require.Fail(s.t, "never came", request)
	return -1
}

// testShopUndefined: the payer sees what is wrong, and can correct it.
func testShopUndefined(t *testing.T, b *chromium) {
	for _, c := range []struct {
		name, number, expiry, code string
		device                     device
		want                       string
	}{
		{"check digit", "4111111111111112", "01/38", testCode, phone().dark(), "Invalid card number"},
		{"expired card", testNumber, "01/20", testCode, desktop(), "The expiration date of card is expired and not valid."},
		{"number of no brand", "1111222233334444", "01/38", testCode, desktop(), "Bad Request. Brand of card does not support."},
		{"short code", testNumber, "01/38", "12", desktop(), "Invalid security code"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, p := newShopSite(t), b.tab(t, c.device)
			s.order(p)
			s.typeCard(p, c.number, c.expiry, c.code)
			require.Equal(t, c.want, s.said(p))
			require.False(t, read[bool](p, `document.querySelector("#pay button").disabled`))
			require.Empty(t, s.holding("gateway", "/api/v1/processing/"))
			p.shot("hpf "+c.name, "en")
			p.quiet()
			failing, _ := p.axe()
			require.Empty(t, names(failing))
		})
	}
}

// testShopExpired: an expired token collects nothing, and pays nothing that it has collected.
func testShopExpired(t *testing.T, b *chromium) {
	t.Run("before the collection", func(t *testing.T) {
		t.Parallel()
		s, p := newShopSite(t), b.tab(t, desktop())
		s.order(p)
		s.typeCard(p, testNumber, "01/38", testCode)
		s.clock.forward(2 * time.Hour)
		require.Equal(t, "The payment session is not valid or has expired.", s.said(p))
		require.Empty(t, s.holding("gateway", "/api/v1/processing/"))
	})
	t.Run("before the payment", func(t *testing.T) {
		t.Parallel()
		s, p := newShopSite(t), b.tab(t, desktop())
		number := s.order(p)
		s.typeCard(p, testNumber, "01/38", testCode)
		read[bool](p, `(document.getElementById("pay").submit = function () { window.collected = true; }, true)`)
		p.press(`#pay button`)
		p.until(`window.collected`)
		s.clock.forward(2 * time.Hour)
		p.leave(func() { read[bool](p, `(HTMLFormElement.prototype.submit.call(document.getElementById("pay")), true)`) })
		require.Contains(t, read[string](p, `document.querySelector("[role=alert]").innerText`), "Not available")
		require.Equal(t, "/orders/"+number+"/pay", read[string](p, `location.pathname`))
		entries, err := s.acquirer.Ledger(t.Context())
		require.NoError(t, err)
		require.Empty(t, entries)
	})
}
