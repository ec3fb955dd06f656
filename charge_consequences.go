package gateway

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// maxCredential bounds a reference in bytes. References of the card schemes have about 15 characters.
const maxCredential = 255

// keepNetworkReference stores the reference of an approval with the chain and the card token of the payment. The first
// one stays, because the schemes want the one of the payment that the payer agreed to.
func (gw *Gateway) keepNetworkReference(s *engine.Settlement) error {
	credential, mid := s.Transaction.Facts.Credential, s.Merchant.MID(s.Transaction.MIDID)
	ours := s.Transaction.Outcome == store.Success && s.Transaction.ID == s.Payment.ChargeID() && s.Payment.COF != nil &&
		mid.COF
	switch {
	case credential == "" || !ours:
		return nil
	case len(credential) > maxCredential:
		gw.cfg.Log.Warn("the reference of a stored card is too long to be kept", "transaction", s.Transaction.ID)
		return nil
	}
	return errors.Join(recurring.KeepReference(s.Tx, s.Payment, mid.ID, credential),
		gw.cards.KeepReference(s.Tx, s.Payment, mid.ID, credential))
}

// consequences returns the effects of outcomes, in their order. Some change what the callback reports.
func (gw *Gateway) consequences() []engine.Consequence {
	return []engine.Consequence{
		{Name: "agreement dropped", When: ofAgreement, Do: func(s *engine.Settlement) error {
			return recurring.Drop(s.Tx, s.Payment, s.Transaction)
		}},
		{Name: "stored card registered", When: (*engine.Settlement).EndsCharge, Do: gw.keepNetworkReference,
			Before: gw.learnLookupKey},
		{Name: "schedule planned", When: onSchedule, Do: func(s *engine.Settlement) error {
			return recurring.PlanSchedule(s.Tx, s.Payment, s.Transaction, s.Merchant.MID(s.Payment.MIDID).TimeZone, s.Now)
		}},
		{Name: "payout taken back", When: (*engine.Settlement).EndsCharge, Do: declinedPayout},
		{Name: "session updated", When: reportsToSession, Do: func(s *engine.Settlement) error {
			next := ""
			if s.Next() != nil {
				next = s.Next().Payment.ID
			}
			return session.Report(s.Tx, s.Payment, s.Transaction, next, s.Merchant.Mapping(s.Payment.Protocol))
		}},
	}
}

// ofAgreement reports whether a payment is the first of an agreement.
func ofAgreement(s *engine.Settlement) bool { return records.BeginsChain(s.Payment) }

// onSchedule reports whether an outcome puts an agreement on a schedule.
func onSchedule(s *engine.Settlement) bool {
	p := s.Payment
	return p.ScheduleID != "" && p.Occurrence == 0 && p.RecurringToken != "" && s.Transaction.Outcome.Final()
}

func reportsToSession(s *engine.Settlement) bool { return s.Payment.SessionID != "" && s.EndsCharge() }

// markCallback marks the hash in a callback's body, so that it signs no request.
func (gw *Gateway) markCallback(s *engine.Settlement, body string) error {
	return gw.door.MarkCallback(s.Tx, s.Merchant.(*merchant.Profile), &s.Payment.Payment, body, s.Now)
}

// learnLookupKey fetches the key that locates card tokens, if an answer brings a reference to store with one.
func (gw *Gateway) learnLookupKey(ctx context.Context, a methods.Answer) error {
	if a.Facts.Credential == "" {
		return nil
	}
	if _, err := gw.seals.LookupKey(ctx); err != nil {
		return errors.Join(errors.New("a stored card is not registered with its token"), err)
	}
	return nil
}

// declinedPayout frees the signature of a declined payout, unless another attempt of a cascade goes on.
func declinedPayout(s *engine.Settlement) error {
	if s.Payment.Kind != store.Credit || s.Transaction.Outcome != store.Fail || s.Next() != nil {
		return nil
	}
	return door.TakeBack(s.Tx, s.Payment)
}
