package callback

import (
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// CheckoutHash signs a payment for its merchant, in callbacks and in the payer's return link: it covers the
// payment id and the order as it was signed (checkout.md, "Hash formulas").
func CheckoutHash(p *store.Payment, m *store.Mapping, password store.Secret) string {
	return signature.Sign(signature.CheckoutCallback, Mode(m), checkoutInputs(p), password.Reveal())
}

// CheckoutText returns what CheckoutHash signs, in capitals and without the password.
func CheckoutText(p *store.Payment) string {
	return signature.Texts(signature.CheckoutCallback, checkoutInputs(p))[0]
}

func checkoutInputs(p *store.Payment) signature.Inputs {
	return signature.Inputs{PaymentID: p.ID, OrderNumber: p.Order.Number, Amount: p.Order.Amount,
		Currency: p.Order.Currency, Description: p.Order.Description}
}

// Mode returns the digest of a mapping, for both directions.
func Mode(m *store.Mapping) signature.Mode {
	if m.SHA256 {
		return signature.SHA256
	}
	return signature.MD5
}
