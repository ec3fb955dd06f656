package gateway

import (
	"errors"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/store"
)

// Card-on-File: how a stored card is used, and under which name its issuer knows it. An acquirer with whom a
// stored card is registered answers with a reference, which goes with every later use of that card at the
// same MID. It is kept with the chain and with the card token, and so never leaves the merchant.

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

// maxCredential bounds a reference, in bytes: the schemes give out about 15 characters.
const maxCredential = 255

// keepNetworkReference keeps the reference that an approval brings, with the chain and the card token of the payment.
// The first one stays: the schemes want to see the use that the payer agreed to.
func (gw *Gateway) keepNetworkReference(s *engine.Settlement) error {
	credential, mid := s.Transaction.Facts.Credential, s.Merchant.MID(s.Transaction.MIDID)
	ours := s.Transaction.Outcome == store.Success && s.Transaction.ID == s.Payment.ChargeID() && s.Payment.COF != nil && mid.COF
	switch {
	case credential == "" || !ours:
		return nil
	case len(credential) > maxCredential:
		gw.cfg.Log.Warn("the reference of a stored card is too long to be kept", "transaction", s.Transaction.ID)
		return nil
	}
	return errors.Join(recurring.KeepReference(s.Tx, s.Payment, mid.ID, credential), gw.cards.KeepReference(s.Tx, s.Payment, mid.ID, credential))
}
