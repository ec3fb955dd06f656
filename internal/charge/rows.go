package charge

import (
	"time"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/store"
)

// claimRow is something that a charge reserves in step one.
type claimRow struct {
	when func(*Draft) bool // read in the transaction: it depends on nothing that a take writes
	take func(store.Tx, *Draft, func() time.Time) error
}

// chargeClaims are taken in this order, which callers see: the first refusal is returned. The limits of the MID
// come after them. A later attempt of a cascade takes none of them again.
var chargeClaims = []claimRow{
	{isKeyed, func(tx store.Tx, c *Draft, _ func() time.Time) error {
		return c.Once.Take(tx, c.Payment.ID, c.Transaction.ID)
	}},
	{ofSession, func(tx store.Tx, c *Draft, _ func() time.Time) error { return c.Session.Take(tx, &c.Payment) }},
	{ofSession, func(tx store.Tx, c *Draft, _ func() time.Time) error { return door.PayOut(tx, &c.Payment) }},
	{isDue, func(tx store.Tx, c *Draft, _ func() time.Time) error { return c.Due.Take(tx, &c.Payment) }},
	{joinsSchedule, func(tx store.Tx, c *Draft, _ func() time.Time) error { return recurring.JoinLater(tx, &c.Payment) }},
	{isAsked, func(tx store.Tx, c *Draft, _ func() time.Time) error { return recurring.RefuseEnded(tx, &c.Payment) }},
	{byWallet, func(tx store.Tx, c *Draft, _ func() time.Time) error { return c.WalletToken.use.Take(tx) }},
	{isSigned, func(tx store.Tx, c *Draft, _ func() time.Time) (err error) {
		c.mark, err = c.signed.Mark(tx)
		return err
	}},
	{inWindow, func(tx store.Tx, c *Draft, now func() time.Time) error {
		return door.TakeOrder(tx, &c.Payment, now())
	}},
	{firstOnS2S, func(tx store.Tx, c *Draft, _ func() time.Time) error { return door.FirstOfOrder(tx, &c.Payment) }},
	{isSigned, func(tx store.Tx, c *Draft, now func() time.Time) error {
		return c.signed.Use(tx, c.mark, c.Payment.CreatedAt, now())
	}},
}

// chargeInserts are written after the limits, by every attempt.
var chargeInserts = []claimRow{
	{issuesToken, func(tx store.Tx, c *Draft, _ func() time.Time) error { return token.Insert(c.token, tx) }},
	{beginsAgreement, func(tx store.Tx, c *Draft, _ func() time.Time) error { return recurring.Begin(c.chain, tx) }},
}

func isKeyed(c *Draft) bool { return c.Once != nil }

func ofSession(c *Draft) bool { return c.Session != nil }

func isDue(c *Draft) bool { return c.Due != nil }

// isAsked reports whether a later payment of an agreement was asked for: one that is due has taken its date instead.
func isAsked(c *Draft) bool { return c.Recurring && c.Due == nil }

func joinsSchedule(c *Draft) bool { return isAsked(c) && c.Payment.ScheduleID != "" }

func byWallet(c *Draft) bool { return c.WalletToken != nil && c.WalletToken.use != nil }

func isSigned(c *Draft) bool { return c.signed != nil }

func inWindow(c *Draft) bool { return c.Window }

func firstOnS2S(c *Draft) bool { return c.Window && c.Payment.Protocol.S2S() }

func issuesToken(c *Draft) bool { return c.token != nil }

func beginsAgreement(c *Draft) bool { return c.chain != nil }

// taking returns a function that takes the rows which apply to a charge, in their order, up to the first refusal.
func taking(rows []claimRow, c *Draft, now func() time.Time) func(store.Tx) error {
	return func(tx store.Tx) error {
		for i := range rows {
			if row := &rows[i]; row.when(c) {
				if err := row.take(tx, c, now); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
