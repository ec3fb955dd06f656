package engine

import (
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// queue puts the callback of a row into the outbox, in the same transaction. A payment without a callback URL
// sends none (callbacks.md, "Target URL").
func (s *Settlement) queue(row state.Row) error {
	if row.Type == "" || s.Payment.NotificationURL == "" || !s.notifiesMerchant(row) {
		return nil
	}
	next := s.reportedRedirect()
	body, requireOK, err := callback.Render(callback.Event{
		Type: s.callbackType(row), Status: row.Status, Payment: s.public(), Transaction: &s.Transaction.Transaction,
		Redirect: next, Crypto: s.settler.isCrypto(s.Payment), Merchant: s.Merchant.Record(),
		Mapping: s.Merchant.Mapping(s.Payment.Protocol), MID: s.Merchant.MID(s.Transaction.MIDID),
	})
	if err != nil {
		return err
	}
	if err := s.settler.Sends(s, body); err != nil {
		return err
	}
	s.Payment.Callbacks++
	c := records.Callback{Callback: store.Callback{
		PaymentID: s.Payment.ID, TransactionID: s.Transaction.ID, MerchantID: s.Payment.MerchantID,
		Number: s.Payment.Callbacks,
		Type:   row.Type, Outcome: row.Status, URL: s.Payment.NotificationURL, RequireOK: requireOK,
		CreatedAt: s.Now,
	}, Leads: records.BeginsChain(s.Payment)}
	if first := s.Payment.RecurringInitID; first != "" && !records.BeginsChain(s.Payment) && c.Number == 1 {
		c.Follows = store.CallbackID(first, 1)
	}
	if next != nil && s.Payment.Protocol.S2S() { // it contains the payer's link, whose secret is not stored
		if c.SealedBody, err = s.o.seal(vault.ReturnData, s.Payment.MerchantID, store.CallbackID(s.Payment.ID, c.Number),
			[]byte(body)); err != nil {
			return err
		}
	} else {
		c.Body = body
	}
	s.o.queued = c.Number
	return callback.Queue(s.Tx, c)
}

// public returns the payment as callbacks report it. The token of a new chain is included only once its first
// payment has succeeded.
func (s *Settlement) public() *store.Payment {
	if !records.BeginsChain(s.Payment) || s.Payment.Taken() {
		return &s.Payment.Payment
	}
	p := s.Payment.Payment
	p.RecurringToken, p.RecurringInitID = "", ""
	return &p
}

// callbackType returns the callback type that Checkout uses for the row: later payments of a chain are
// recurring.
func (s *Settlement) callbackType(row state.Row) string {
	if s.Payment.RecurringInitID != "" && s.Payment.RecurringInitID != s.Payment.ID &&
		(row.Type == "sale" || row.Type == "debit") {
		return "recurring"
	}
	return row.Type
}

// notifiesMerchant reports whether a row is sent to the merchant in a cascade (callbacks.md, "Cascading"). A
// declined attempt that another attempt follows is not sent, except the first one of an APM payment. In an
// APM cascade the redirects of later attempts are not sent either.
func (s *Settlement) notifiesMerchant(row state.Row) bool {
	if s.Payment.Protocol == store.S2SAPM {
		away := row.Type == "3ds" || row.Type == "redirect"
		return s.Payment.Cascade == "" || !s.o.cascaded && !away
	}
	return !s.o.cascaded
}

// reportedRedirect returns where an S2S callback sends the payer: to the issuer, to a bank, or to our page.
// The callback's body is stored under the data keys, and with it the payer's link. So the link must not open
// a security code: the code is deleted now, or, if the connector requires it later, only the answer carries
// the redirect.
func (s *Settlement) reportedRedirect() *store.Redirect {
	if s.o.away == nil || !s.Payment.Protocol.S2S() {
		return s.o.away
	}
	connector := s.settler.Connectors[s.Transaction.Connector]
	if len(s.Transaction.SealedCode) > 0 && methods.CapabilitiesOf(connector).CodeAtReturn {
		return nil
	}
	s.Transaction.SealedCode = nil
	return s.o.away
}
