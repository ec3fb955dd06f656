package shop

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway/callback/receive"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// Account is what a merchant got from the platform.
type Account struct {
	Name     string
	Key      string       // merchant_key
	Password store.Secret // signs both directions
	// SHA256 are the protocols whose hashes use SHA-256 instead of MD5.
	SHA256 []receive.Protocol
}

func (a *Account) mode(protocol receive.Protocol) signature.Mode {
	if slices.Contains(a.SHA256, protocol) {
		return signature.SHA256
	}
	return signature.MD5
}

func (a *Account) sign(formula signature.Formula, in signature.Inputs) string {
	return signature.Sign(formula, a.mode(receive.Checkout), in, a.Password.Reveal())
}

// signCard signs a request by S2S CARD.
func (a *Account) signCard(formula signature.Formula, in signature.Inputs) string {
	return signature.Sign(formula, a.mode(receive.S2SCard), in, a.Password.Reveal())
}

// verify checks the hash of a payer's return, which is that of a callback by Checkout.
func (a *Account) verify(in signature.Inputs, hash string) bool {
	return signature.Verify(signature.CheckoutCallback, a.mode(receive.Checkout), in, a.Password.Reveal(), hash)
}

// genuine reports whether the password signed a callback. Which protocol it is of, and so which digest the hash has,
// shows in the callback itself.
func (a *Account) genuine(ctx context.Context, body string, sent Sent) bool {
	return slices.ContainsFunc([]signature.Mode{signature.MD5, signature.SHA256}, func(mode signature.Mode) bool {
		receiver := receive.Receiver{Passwords: []store.Secret{a.Password}, SHA256: mode == signature.SHA256, Payment: sent}
		c, err := receiver.ParseBody(ctx, body)
		return err == nil && a.mode(c.Protocol) == mode
	})
}
