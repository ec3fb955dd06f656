package gateway

import (
	"cmp"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// maxWalletToken bounds the token of a charge, in bytes.
const maxWalletToken = wallet.MaxToken

// tokenPath is what a protocol calls the token.
func tokenPath(p store.Protocol) string {
	switch p {
	case store.S2SCard:
		return "payment_token"
	case store.S2SAPM:
		return "parameters[paymentToken]"
	}
	return "wallet_token"
}

// virtual has the token passed on. Nothing of a card is kept, so nothing can be charged again.
func (c *charge) virtual() {
	p := &c.Payment
	p.ReqToken, p.RecurringInit = false, false
	p.ScheduleID, p.ScheduleStartDate, p.ScheduleAmount = "", "", ""
	c.handWallet(c.wallet.text)
}

// inCard makes the card of the token that of the charge.
func (c *charge) inCard(token []byte) {
	opened := c.wallet.opened
	c.card = &methods.Card{PAN: opened.PAN, Expiry: opened.Expiry, Holder: cmp.Or(opened.Holder, c.Payment.Payer.FullName())}
	c.handWallet(token)
}

// handWallet is what the connector gets: the token, or else what was in it. A wallet's cryptogram is an
// authentication, beside which no other counts.
func (c *charge) handWallet(token []byte) {
	w, code := c.wallet, c.Payment.Method
	c.hand = &methods.Wallet{Method: code, Token: token, PANType: w.shown.PANType, Network: w.shown.Network}
	if w.opened != nil {
		c.hand.PANType, c.hand.AuthMethod = w.opened.PANType, w.opened.AuthMethod
		if token == nil {
			c.hand.Cryptogram, c.hand.ECI = w.opened.Cryptogram, w.opened.ECI
		}
	}
	if authenticates(c.hand) {
		c.mpi = nil
	}
	c.Payment.Wallet = &store.WalletFacts{Wallet: code, PANType: c.hand.PANType}
}
