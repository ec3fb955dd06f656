package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
)

// TestWallet: the buttons of the wallets, with fake wallets in a real browser.
func TestWallet(t *testing.T) {
	b := start(t)
	t.Run("pay", func(t *testing.T) { t.Parallel(); testWalletPays(t, b) })
	t.Run("hidden", func(t *testing.T) { t.Parallel(); testWalletHidden(t, b) })
	t.Run("owed", func(t *testing.T) { t.Parallel(); testWalletOwed(t, b) })
	t.Run("opening", func(t *testing.T) { t.Parallel(); testWalletOpening(t, b) })
	t.Run("policy", func(t *testing.T) { t.Parallel(); testWalletPolicy(t, b) })
	t.Run("gateway", func(t *testing.T) { t.Parallel(); testWalletGateway(t, b) })
	t.Run("states", func(t *testing.T) { t.Parallel(); testWalletStates(t, b) })
}

// eachWallet runs a test with the button of each.
func eachWallet(t *testing.T, run func(t *testing.T, name, button string)) {
	for name, button := range map[string]string{"apple": appleButton, "google": googleButton} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, name, button)
		})
	}
}

// testWalletHidden: a wallet that cannot be opened is not offered.
func testWalletHidden(t *testing.T, b *chromium) {
	plain := func(s *walletSite, d device) *tab {
		p := b.tab(s.t, d)
		p.before(`delete window.PaymentRequest; delete window.ApplePaySession;`)
		return p
	}
	unready := func(s *walletSite, d device) *tab { return s.wallets(b, d, false) }
	for _, c := range []struct {
		name    string
		device  device
		browser func(s *walletSite, d device) *tab
	}{
		{"no wallets", desktop(), plain},
		{"wallets without a card", desktop(), unready},
		{"no JavaScript", desktop().without(), unready},
	} {
		t.Run(c.name+"/card beside", func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, appleChoice(), googleChoice(), cardChoice())
			p := c.browser(s, c.device)
			p.open(s.link("en"))
			p.fill("01/38")
			require.False(t, p.inSight(appleButton))
			require.False(t, p.inSight(googleButton))
			require.False(t, p.inSight(`.or`))
			require.False(t, p.has(`input[type="radio"]`))
			p.leave(func() { p.press(payButton) })
			p.onward()
			p.arrived(s.site, "success")
			p.quiet()
		})
		t.Run(c.name+"/nothing else", func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, appleChoice(), googleChoice())
			p := c.browser(s, c.device)
			p.open(s.link("de"))
			p.until(`document.querySelector("#pay").innerText.includes("anderen Browser")`)
			require.False(t, p.inSight(appleButton))
			require.False(t, p.has(payButton))
			p.leave(func() { p.press(quitButton) })
			p.arrivedWithout(s)
			p.quiet()
		})
	}
	t.Run("a wallet that does not say", func(t *testing.T) {
		t.Parallel()
		const silent = `PaymentRequest.prototype.canMakePayment = function () { return new Promise(function () {}); };`
		s := newWalletSite(t, googleChoice(), appleChoice())
		p := s.wallets(b, desktop(), true)
		p.before(silent)
		p.open(s.link("en"))
		p.pressWallet(appleButton)
		p.opens()
		require.False(t, p.inSight(googleButton))
		alone := newWalletSite(t, googleChoice())
		p = alone.wallets(b, desktop(), true)
		p.before(silent)
		p.open(alone.link("en"))
		p.until(`document.querySelector("#no-wallet").getClientRects().length`)
	})
}

// arrivedWithout checks that the payer is back without having paid.
func (p *tab) arrivedWithout(s *walletSite) {
	p.t.Helper()
	p.until(`location.href.startsWith(` + quote(s.shop+"/cancel") + `)`)
	require.Zero(p.t, s.booked())
}

// testWalletOwed: what the payer has to enter beside the wallet is asked for before it opens.
func testWalletOwed(t *testing.T, b *chromium) {
	city := gateway.PayerField{Path: "billing_address.city", Required: true}
	eachWallet(t, func(t *testing.T, name, button string) {
		s := newWalletSite(t, appleChoice(city), googleChoice(city), cardChoice(city))
		s.terms = true
		s.serve()
		p := s.wallets(b, desktop(), true)
		p.open(s.link("en"))
		p.shows(googleButton)
		require.Equal(t, 1, read[int](p, `Array.from(document.querySelectorAll('[autocomplete="address-level2"]'))
			.filter(function (e) { return e.getClientRects().length; }).length`))
		p.pressWallet(button)
		field := `document.activeElement.closest(".wallet") && document.activeElement.autocomplete === "address-level2"`
		p.until(field)
		require.Empty(t, p.noted("opened"))
		p.pressWallet(button) // it is still missing
		p.until(field + ` && document.activeElement.getAttribute("aria-invalid") === "true"`)
		require.Empty(t, p.noted("opened"))
		p.typeText("Springfield")
		p.typeText(kb.Enter) // opens the wallet and never sends the card
		p.until(`document.activeElement.id === "terms"`)
		require.Empty(t, p.noted("opened"))
		p.inspect("wallet, owed "+name, "en")
		p.press(termsBox)
		p.pressWallet(button)
		p.opens()
		p.authorise("settles")
		p.arrived(s.site, "success")
		got := s.got.all()
		require.Len(t, got, 1)
		require.Equal(t, map[string]string{city.Path: "Springfield"}, got[0].Fields)
		require.True(t, got[0].Terms)
		p.quiet()
	})
	t.Run("a card does not owe it", func(t *testing.T) {
		t.Parallel()
		s := newWalletSite(t, appleChoice(city), cardChoice())
		p := s.wallets(b, desktop(), true)
		p.open(s.link("en"))
		p.pressWallet(appleButton)
		p.until(`document.activeElement.autocomplete === "address-level2"`)
		p.pay("01/38")
		p.arrived(s.site, "success")
		require.Equal(t, "card", s.got.all()[0].Method)
	})
}

// testWalletOpening: the wallet refuses the merchant, or does not open at all.
func testWalletOpening(t *testing.T, b *chromium) {
	t.Run("no merchant session", func(t *testing.T) {
		t.Parallel()
		s := newWalletSite(t, appleChoice(), cardChoice())
		s.who = nil
		s.serve()
		p := s.wallets(b, desktop(), true)
		p.open(s.link("en"))
		p.pressWallet(appleButton)
		p.until(`document.querySelector("#wallet-problem").innerText.includes("Apple Pay did not open")`)
		require.Len(t, p.noted("aborted"), 1)
		p.inspect("wallet, failed", "en")
		p.pay("01/38")
		p.arrived(s.site, "success")
		p.quiet()
	})
	t.Run("an error of the browser", func(t *testing.T) {
		t.Parallel()
		s := newWalletSite(t, googleChoice(), cardChoice())
		p := s.wallets(b, desktop(), true)
		p.before(`PaymentRequest.prototype.show = function () {
			return Promise.reject(new DOMException("x", "NotSupportedError"));
		};`)
		p.open(s.link("en"))
		p.pressWallet(googleButton)
		p.until(`document.querySelector("#wallet-problem").innerText.includes("Google Pay did not open")`)
		p.quiet()
	})
	t.Run("the answer is lost", func(t *testing.T) {
		t.Parallel()
		s := newWalletSite(t, googleChoice(), cardChoice())
		p := s.wallets(b, desktop(), true)
		p.before(`window.fetch = (function (real) {
			return function (a, b) { return real(a, b).then(function () { throw new TypeError("gone"); }); };
		})(window.fetch);`)
		p.open(s.link("en"))
		p.pressWallet(googleButton)
		p.opens()
		p.authorise("settles") // the page shows the correct state
		p.arrived(s.site, "success")
		require.Equal(t, 1, s.booked())
		p.open(s.pages + "/page/nothing")
		p.completed("unknown")
	})
}

// testWalletPolicy: what a real browser does with the addresses of a payment method. Without the two sources of the
// policy it does not even make a PaymentRequest.
func testWalletPolicy(t *testing.T, b *chromium) {
	const try = `(function () {
		try {
			new PaymentRequest([{supportedMethods: "https://google.com/pay"}],
				{total: {label: "x", amount: {currency: "USD", value: "1.00"}}});
		} catch (e) { return e.name; }
		return "made";
	})()`
	for _, c := range []struct {
		name    string
		choices []gateway.MethodChoice
		made    bool
	}{
		{"Google Pay is offered", []gateway.MethodChoice{googleChoice(), cardChoice()}, true},
		{"it is not", []gateway.MethodChoice{appleChoice(), cardChoice()}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, c.choices...)
			p := b.tab(t, desktop())
			p.open(s.link("en"))
			want := "RangeError"
			if c.made {
				want = "made"
			}
			require.Equal(t, want, read[string](p, try))
			if !c.made {
				return
			}
			for _, text := range p.seen.all() { // it may report that it cannot reach the address
				require.NotContains(t, text, "olicy")
			}
		})
	}
}

// testWalletStates: the buttons are accessible and fit, in three languages, on a phone and a desktop; in English
// also in the dark and in the payer's own colours.
func testWalletStates(t *testing.T, b *chromium) {
	small, dark, forced := phone(), phone(), desktop()
	small.width, small.height = 390, 844
	dark.name, dark.media = "dark", map[string]string{"prefers-color-scheme": "dark"}
	forced.name, forced.media = "forced colours", map[string]string{"forced-colors": "active"}
	for _, language := range languages() {
		devices := []device{small, desktop()}
		if language == "en" {
			devices = append(devices, dark, forced)
		}
		for _, c := range []struct {
			name    string
			ready   bool
			choices []gateway.MethodChoice
		}{
			{"wallets and card", true, []gateway.MethodChoice{appleChoice(), googleChoice(), cardChoice()}},
			{"wallets and methods", true, []gateway.MethodChoice{googleChoice(), cardChoice(), {Code: "ips", Name: "IPS", Kind: methods.KindQR}}},
			{"wallets alone", true, []gateway.MethodChoice{appleChoice(), googleChoice()}},
			{"wallets that cannot", false, []gateway.MethodChoice{appleChoice(), googleChoice()}},
		} {
			for _, d := range devices {
				t.Run(language+"/"+c.name+"/"+d.name, func(t *testing.T) {
					t.Parallel()
					s := newWalletSite(t, c.choices...)
					p := s.wallets(b, d, c.ready)
					p.open(s.link(language))
					if c.ready {
						p.looksRight()
					} else {
						p.until(`document.querySelector("#no-wallet").getClientRects().length`)
					}
					p.inspect(c.name, language)
					p.quiet()
				})
			}
		}
	}
}

// looksRight checks the names of the buttons, their height for a finger, and an edge.
func (p *tab) looksRight() {
	p.t.Helper()
	p.until(`document.querySelector(` + quote(googleButton) + `).getClientRects().length`)
	names := read[[]string](p, `Array.from(document.querySelectorAll(".wallet-button")).map(function (e) {
		return e.innerText;
	})`)
	for _, name := range names {
		assert.Regexp(p.t, `(Apple|Google) Pay`, name)
	}
	least := p.number(`Math.floor(Math.min.apply(null,
		Array.from(document.querySelectorAll(".wallet-button")).map(function (e) {
			return e.getBoundingClientRect().height;
		})))`)
	assert.GreaterOrEqual(p.t, least, 44)
	assert.True(p.t, p.bordered(googleButton))
}
