package gateway

import (
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// authentication says who authenticates the payer: nobody where he is not there (decision t).
func (c *charge) authentication() string {
	switch {
	case c.recurring, store.IsMOTO(c.Payment.MOTOType):
		return string(methods.AuthOff)
	case c.mpi != nil, authenticates(c.hand):
		return string(methods.AuthExternal)
	case c.Payment.PayerPresent == payerAway:
		return string(methods.AuthOff)
	}
	return string(methods.AuthPlatform)
}

// authenticates reports a token by which the payer has proved who he is.
func authenticates(w *methods.Wallet) bool { return w != nil && w.AuthMethod == wallet.Cryptogram3DS }

// payerAway is payer_present of a payment that nobody is there for; Y is the other value. The documents name
// the parameter and not its values.
const payerAway = "N"

// cof says how a stored card is used. A card that is charged with nobody there was stored by somebody, be it
// by the merchant himself; a payout uses none.
func (c *charge) cof() *store.COF {
	p := &c.Payment
	cof := store.COF{Initiator: store.ByCardholder, Source: store.Unscheduled, Sequence: store.SubsequentUse}
	if p.RecurringInit || c.recurring {
		cof.Source = store.Recurring
	}
	away := p.PayerPresent == payerAway
	if away || c.recurring {
		cof.Initiator = store.ByMerchant
	}
	switch {
	case p.Kind != store.Purchase && p.Kind != store.Debit:
		return nil
	case c.recurring:
	case p.RecurringInit, p.ReqToken:
		cof.Sequence = store.FirstUse
	case p.CardToken == "" && !away:
		return nil
	}
	return &cof
}
