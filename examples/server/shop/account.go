package shop

import (
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// Account is what a merchant got from the platform.
type Account struct {
	Name     string
	Key      string       // merchant_key
	Password store.Secret // signs both directions
	SHA256   bool         // hashes use SHA-256 instead of MD5
	// S2SSHA256 is SHA256 for requests by S2S CARD, which the shop uses for schedules.
	S2SSHA256 bool
}

func (a *Account) mode() signature.Mode {
	if a.SHA256 {
		return signature.SHA256
	}
	return signature.MD5
}

func (a *Account) sign(formula signature.Formula, in signature.Inputs) string {
	return signature.Sign(formula, a.mode(), in, a.Password.Reveal())
}

// signCard signs a request by S2S CARD.
func (a *Account) signCard(formula signature.Formula, in signature.Inputs) string {
	mode := signature.MD5
	if a.S2SSHA256 {
		mode = signature.SHA256
	}
	return signature.Sign(formula, mode, in, a.Password.Reveal())
}

func (a *Account) verify(in signature.Inputs, hash string) bool {
	return signature.Verify(signature.CheckoutCallback, a.mode(), in, a.Password.Reveal(), hash)
}
