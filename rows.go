package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// What the rooms offer, as the rows that the engine takes: what a charge claims in the transaction that stores its
// intent, and what an outcome leads to in the transaction that applies it.

// claimRow is something that a charge takes in step one.
type claimRow struct {
	name string
	when func(*charge) bool
	take func(store.Tx, *charge, func() time.Time) error
}

// chargeClaims are taken in this order, which callers see: the first that refuses answers. The limits of the MID come
// behind them. An attempt that follows another one of its cascade takes none of them again.
var chargeClaims = []claimRow{
	{"session", ofSession, func(tx store.Tx, c *charge, _ func() time.Time) error { return c.session.Take(tx, &c.Payment) }},
	{"payout of a session", ofSession, func(tx store.Tx, c *charge, _ func() time.Time) error { return door.PayOut(tx, &c.Payment) }},
	{"date of a schedule", isDue, func(tx store.Tx, c *charge, _ func() time.Time) error { return c.due.Take(tx, &c.Payment) }},
	{"schedule to join", joinsSchedule, func(tx store.Tx, c *charge, _ func() time.Time) error { return recurring.JoinLater(tx, &c.Payment) }},
	{"agreement", isRecurring, func(tx store.Tx, c *charge, _ func() time.Time) error { return recurring.GoesOn(tx, &c.Payment) }},
	{"token of a wallet", byWallet, func(tx store.Tx, c *charge, _ func() time.Time) error { return c.wallet.use.Take(tx) }},
	{"signature", isSigned, func(tx store.Tx, c *charge, _ func() time.Time) (err error) {
		c.mark, err = c.signed.Mark(tx)
		return err
	}},
	{"duplicate window", inWindow, func(tx store.Tx, c *charge, now func() time.Time) error {
		p := &c.Payment
		return door.TakeWindow(tx, records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.Order.Number, p.CreatedAt, now())
	}},
	{"first of its order", firstOnS2S, func(tx store.Tx, c *charge, _ func() time.Time) error { return door.FirstOfOrder(tx, &c.Payment) }},
	{"use of the signature", isSigned, func(tx store.Tx, c *charge, now func() time.Time) error {
		return c.signed.Use(tx, c.mark, c.Payment.CreatedAt, now())
	}},
}

// chargeInserts are written behind the limits, by every attempt.
var chargeInserts = []claimRow{
	{"card token", issuesToken, func(tx store.Tx, c *charge, _ func() time.Time) error { return token.Insert(c.token, tx) }},
	{"new agreement", beginsAgreement, func(tx store.Tx, c *charge, _ func() time.Time) error { return recurring.Begin(c.chain, tx) }},
}

func ofSession(c *charge) bool       { return c.session != nil }
func isDue(c *charge) bool           { return c.due != nil }
func isRecurring(c *charge) bool     { return c.recurring }
func joinsSchedule(c *charge) bool   { return c.recurring && c.due == nil && c.Payment.ScheduleID != "" }
func byWallet(c *charge) bool        { return c.wallet != nil && c.wallet.use != nil }
func isSigned(c *charge) bool        { return c.signed != nil }
func inWindow(c *charge) bool        { return c.window }
func firstOnS2S(c *charge) bool      { return c.window && c.Payment.Protocol.S2S() }
func issuesToken(c *charge) bool     { return c.token != nil }
func beginsAgreement(c *charge) bool { return c.chain != nil }

// rowsOf are the rows that hold for a charge, as the engine takes them.
func rowsOf(rows []claimRow, c *charge, now func() time.Time) (list []engine.Claim) {
	for _, row := range rows {
		if row.when(c) {
			list = append(list, engine.Claim{Name: row.name, Take: func(tx store.Tx, _ *engine.Operation) error { return row.take(tx, c, now) }})
		}
	}
	return list
}

// consequences are what outcomes lead to, in this order. Some change what the callback tells.
func (gw *Gateway) consequences() []engine.Consequence {
	return []engine.Consequence{
		{Name: "agreement dropped", When: ofAgreement, Do: func(s *engine.Settlement) error {
			return recurring.Drop(s.Tx, s.Payment, s.Transaction)
		}},
		{Name: "stored card registered", When: (*engine.Settlement).EndsCharge, Do: gw.keepNetworkReference, Before: gw.learnLookupKey},
		{Name: "schedule planned", When: onSchedule, Do: func(s *engine.Settlement) error {
			return recurring.PlanSchedule(s.Tx, s.Payment, s.Transaction, s.Merchant.MID(s.Payment.MIDID).TimeZone, s.Now)
		}},
		{Name: "payout taken back", When: (*engine.Settlement).EndsCharge, Do: declinedPayout},
		{Name: "session told", When: tellsSession, Do: func(s *engine.Settlement) error {
			next := ""
			if s.Next() != nil {
				next = s.Next().Payment.ID
			}
			return session.Told(s.Tx, s.Payment, s.Transaction, next, s.Merchant.Mapping(s.Payment.Protocol))
		}},
	}
}

// ofAgreement reports the first payment of an agreement.
func ofAgreement(s *engine.Settlement) bool { return records.BeginsChain(s.Payment) }

// onSchedule reports the outcome of a payment that puts its agreement on a schedule.
func onSchedule(s *engine.Settlement) bool {
	p := s.Payment
	return p.ScheduleID != "" && p.Occurrence == 0 && p.RecurringToken != "" && s.Transaction.Outcome.Final()
}

func tellsSession(s *engine.Settlement) bool { return s.Payment.SessionID != "" && s.EndsCharge() }

// markCallback marks the hash of a callback, as its body tells it.
func (gw *Gateway) markCallback(s *engine.Settlement, body []byte) error {
	return gw.door.MarkCallback(s.Tx, s.Merchant.(*merchant.Profile), s.Payment, body, s.Now)
}

// learnLookupKey asks for the key that names card tokens, where an answer brings a reference to keep with one.
func (gw *Gateway) learnLookupKey(ctx context.Context, a methods.Answer) error {
	if a.Facts.Credential == "" {
		return nil
	}
	if _, err := gw.seals.LookupKey(ctx); err != nil {
		return errors.Join(errors.New("a stored card is not registered with its token"), err)
	}
	return nil
}

// declinedPayout takes back what the signature of a payout paid, unless another attempt of a cascade goes on.
func declinedPayout(s *engine.Settlement) error {
	if s.Payment.Kind != store.Credit || s.Transaction.Outcome != store.Fail || s.Next() != nil {
		return nil
	}
	return door.TakeBack(s.Tx, s.Payment)
}
