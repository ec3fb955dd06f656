package browser_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// testForms: payments whose form asks for more than a card, or for less, on a desktop and on a phone, with
// JavaScript and without.
func testForms(t *testing.T, b *chromium) {
	for _, d := range []device{desktop(), phone(), desktop().without(), phone().without()} {
		for _, c := range []struct {
			name     string
			settings func(*site)
			change   turned
			fill     func(p *tab)
			kind     store.Kind
			check    func(t *testing.T, paid store.Payment)
		}{
			{"payer fields", (*site).checksAddress, nil, (*tab).fillAddress, store.Purchase, atHome},
			{"saved card", nil, (*site).withSavedCards, func(p *tab) { p.enter(codeField, "123") }, store.Purchase, withCard("411111******1111")},
			{"another saved card", nil, (*site).withSavedCards, func(p *tab) {
				p.press(`input[name="saved"][value="2"]`)
				p.enter(codeField, "123")
			}, store.Purchase, withCard("555555******4444")},
			{"payout", nil, payout, (*tab).fillPayout, store.Credit, withCard("411111******1111")},
			{"transfer", nil, transfer("-1"), (*tab).fillTransfer, store.Transfer, withCard("411111******1111")},
			{"terms", (*site).hasTerms, nil, (*tab).fillTerms, store.Purchase, nil},
			{"by telephone, no code", (*site).takesCalls, byTelephone, (*tab).fillPayout, store.Purchase, nil},
		} {
			t.Run(d.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				s, p := newSite(t), b.tab(t, d)
				prepared(c.settings, c.change)(s, p, "en")
				before := s.booked()
				c.fill(p)
				p.leave(func() { p.press(payButton) })
				p.onward()
				p.arrived(s, "success")
				paid := s.payment()
				require.Equal(t, store.Settled, paid.Status)
				require.Equal(t, c.kind, paid.Kind)
				require.Equal(t, before+1, s.booked())
				if c.check != nil {
					c.check(t, paid)
				}
				p.quiet()
			})
		}
	}
}

// fillAddress fills in the payer's address. The states are there once the country is chosen.
func (p *tab) fillAddress() {
	p.t.Helper()
	require.False(p.t, p.inSight(stateList), "no country is chosen yet")
	p.choose(countryList, "US")
	require.True(p.t, p.inSight(stateList))
	p.choose(stateList, "NY")
	p.enter(addressField, "1 Main St")
	p.enter(zipField, "10001")
	p.enter(cityField, "New York")
	p.fill("01/38")
}

// fillPayout is a card without a code.
func (p *tab) fillPayout() {
	p.t.Helper()
	p.enter(numberField, testNumber)
	p.enter(expiryField, "01/38")
}

func (p *tab) fillTransfer() {
	p.t.Helper()
	p.enter(amountField, "10.00")
	p.enter(payeeField, "5555555555554444")
	p.fill("01/38")
}

// fillTerms is refused at first, because the terms have to be accepted.
func (p *tab) fillTerms() {
	p.t.Helper()
	p.fill("01/38")
	if p.device.noScript {
		p.leave(func() { p.press(payButton) })
	} else {
		p.press(payButton)
	}
	p.until(`document.querySelector(` + quote(termsBox+`[aria-invalid="true"]`) + `)`)
	p.focused(termsBox) // the fault
	require.NotEmpty(p.t, read[string](p, `document.querySelector("#terms-error").textContent`))
	p.press(termsBox)
	if p.device.noScript { // number and code are never shown again
		p.enter(numberField, testNumber)
		p.enter(codeField, "123")
	}
}

// inSight reports whether an element takes any room.
func (p *tab) inSight(selector string) bool {
	p.t.Helper()
	return read[bool](p, `document.querySelector(`+quote(selector)+`).getClientRects().length > 0`)
}

func atHome(t *testing.T, paid store.Payment) {
	t.Helper()
	require.Equal(t, store.Address{Country: "US", State: "NY", City: "New York", Address: "1 Main St", Zip: "10001"},
		paid.Payer.Address)
}

func withCard(mask string) func(*testing.T, store.Payment) {
	return func(t *testing.T, paid store.Payment) {
		t.Helper()
		require.NotNil(t, paid.Card)
		require.Equal(t, mask, paid.Card.Mask)
	}
}
