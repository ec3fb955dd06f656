package gateway

import (
	"time"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/store"
)

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

func ofSession(c *charge) bool { return c.session != nil }

func isDue(c *charge) bool { return c.due != nil }

func isRecurring(c *charge) bool { return c.recurring }

func joinsSchedule(c *charge) bool { return c.recurring && c.due == nil && c.Payment.ScheduleID != "" }

func byWallet(c *charge) bool { return c.wallet != nil && c.wallet.use != nil }

func isSigned(c *charge) bool { return c.signed != nil }

func inWindow(c *charge) bool { return c.window }

func firstOnS2S(c *charge) bool { return c.window && c.Payment.Protocol.S2S() }

func issuesToken(c *charge) bool { return c.token != nil }

func beginsAgreement(c *charge) bool { return c.chain != nil }

// rowsOf are the rows that hold for a charge, as the engine takes them.
func rowsOf(rows []claimRow, c *charge, now func() time.Time) (list []engine.Claim) {
	for _, row := range rows {
		if row.when(c) {
			take := func(tx store.Tx, _ *engine.Operation) error { return row.take(tx, c, now) }
			list = append(list, engine.Claim{Name: row.name, Take: take})
		}
	}
	return list
}
