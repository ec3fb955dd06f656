package browser_test

import (
	"net/url"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// The fields of the card, as browsers know them, and the buttons.
const (
	numberField = `input[autocomplete="cc-number"]`
	expiryField = `input[autocomplete="cc-exp"]`
	codeField   = `input[autocomplete="cc-csc"]`
	payButton   = `#pay button[type="submit"]`
	quitButton  = `#cancel button[type="submit"]`
	goOn        = `#forward button, a#forward`
	confirm     = `button[name="decision"][value="confirm"]`
)

// testNumber is the number of every test card.
const testNumber = "4111111111111111"

// fill types a card into the form.
func (p *tab) fill(expiry string) {
	p.t.Helper()
	p.enter(numberField, testNumber)
	p.enter(expiryField, expiry)
	p.enter(codeField, "123")
}

// pay fills in a card, submits it and does what an honest payer does, until the shop, or until the page shows
// something else.
func (p *tab) pay(expiry string) {
	p.t.Helper()
	p.fill(expiry)
	p.leave(func() { p.press(payButton) })
	p.onward()
}

// onward does the steps between the form and the end. Pages that continue by themselves are left alone.
func (p *tab) onward() {
	p.t.Helper()
	forward := `document.querySelector("#forward")`
	for range 10 {
		if !p.device.noScript {
			p.until(`!` + forward + ` && document.body.dataset.turn !== "wait"`)
		}
		switch {
		case p.has(confirm):
			p.leave(func() { p.press(confirm) })
		case p.has(goOn):
			p.leave(func() { p.press(goOn) })
		case p.turn() == "wait":
			p.leave(func() {}) // reloads by itself
		default:
			return
		}
	}
	require.Fail(p.t, "the payer goes round in circles", p.where())
}

// turn is which page of the gateway it is; empty elsewhere.
func (p *tab) turn() string {
	p.t.Helper()
	return read[string](p, `document.body.dataset.turn || ""`)
}

// arrived checks that the payer is at a page of the shop, with parameters that the merchant can trust.
func (p *tab) arrived(s *site, where string) {
	p.t.Helper()
	at, err := url.Parse(read[string](p, `location.href`))
	require.NoError(p.t, err)
	require.Equal(p.t, s.shop, at.Scheme+"://"+at.Host, p.where())
	require.Equal(p.t, where, strings.Trim(at.Path, "/"))
	require.Equal(p.t, where == "success", at.Query().Get("cart") == "1", "the merchant's own query")
	payment, got := s.payment(), at.Query()
	require.Equal(p.t, payment.ID, got.Get("payment_id"))
	require.Equal(p.t, payment.Transactions[0].ID, got.Get("trans_id"))
	require.Equal(p.t, order, got.Get("order_id"))
	require.True(p.t, signature.Verify(signature.CheckoutCallback, signature.MD5, signature.Inputs{
		PaymentID: payment.ID, OrderNumber: order, Amount: "10.00", Currency: "USD", Description: "Important gift",
	}, gatewaytest.Password, got.Get("hash")), at.String())
}
