package kerneltest

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Audit checks every record of the store by the invariants of reliability.md, section 2, and by the acquirer's own
// ledger. It may be called at any time; of transactions without an outcome it requires less.
func Audit(t testing.TB, kit *gatewaytest.Kit) *Books {
	t.Helper()
	b := ReadBooks(t, kit)
	for i := range b.Payments {
		b.auditPayment(t, &b.Payments[i])
	}
	for id, e := range b.Ledger {
		require.LessOrEqual(t, e.Effects, 1, "M7: %s %s", e.Kind, id)
		require.Contains(t, b.Transactions, id, "M8: the acquirer has an operation that is not stored")
	}
	for _, tr := range b.Transactions {
		b.auditTransaction(t, &tr)
	}
	for _, s := range b.Sessions {
		b.auditSession(t, &s)
	}
	return b
}

// Quiet is Audit when nothing is left to do: every transaction has an outcome, every callback is delivered, and the
// last callback of each transaction is true.
func Quiet(t testing.TB, kit *gatewaytest.Kit) *Books {
	t.Helper()
	b := Audit(t, kit)
	b.auditCascades(t)
	b.auditTold(t)
	heard := map[string]bool{}
	for _, d := range kit.Inbox.All() {
		heard[d.ID] = true
	}
	for _, c := range b.Callbacks {
		require.True(t, heard[c.ID], "C3: %s was never sent", c.ID)
	}
	for _, p := range b.Payments {
		require.True(t, p.Reserved.IsZero(), "M12")
	}
	return b
}

// ReportsDecline reports whether an attempt's decline is sent to the merchant although another attempt follows: the
// first one of an APM payment (callbacks.md, "Cascading").
func ReportsDecline(p *records.Payment) bool { return p.Protocol == store.S2SAPM && p.Cascade == "" }

func (b *Books) auditPayment(t testing.TB, p *records.Payment) {
	t.Helper()
	amount, err := store.ParseAmount(p.Order.Amount)
	require.NoError(t, err)
	require.Zero(t, amount.Cmp(p.Amount), "M13: what was signed is what is charged")
	require.LessOrEqual(t, p.Captured.Cmp(p.Authorized), 0, "M1")
	require.LessOrEqual(t, p.Refunded.Add(p.Reserved).Cmp(p.Captured), 0, "M2")
	require.LessOrEqual(t, p.Authorized.Cmp(p.Amount), 0, "never more than was asked for")
	if p.Status == store.Settled && !p.Hold {
		require.Zero(t, p.Captured.Cmp(p.Authorized), "M1: a sale takes all of it")
	}
	var refunded, reserved store.Amount
	running, reversed := "", false
	for i, tr := range p.Transactions {
		require.Equal(t, p.ID, tr.PaymentID)
		require.Equal(t, p.Order.Currency, tr.Currency, "M10")
		child := i > 0 && tr.Operation != store.OpChargeback && !b.triesAgain(p, tr)
		require.Equal(t, child, tr.ParentID != "", "every child but a dispute has a parent")
		switch {
		case tr.Operation == store.OpRefund && tr.Outcome == store.Success:
			refunded = refunded.Add(tr.Amount)
		case tr.Operation == store.OpRefund && !tr.Outcome.Final():
			reserved = reserved.Add(tr.Amount)
		case !tr.Outcome.Final():
			require.Empty(t, running, "two operations that exclude each other run at once")
			running = tr.ID
		case tr.Operation == store.OpReversal && tr.Outcome == store.Success:
			reversed = true
			whole := p.Authorized
			if !p.Captured.IsZero() {
				whole, refunded = p.Captured, p.Captured
			}
			require.Zero(t, whole.Cmp(tr.Amount), "M3: a reversal is for all of it")
		}
	}
	require.Equal(t, running, p.Running)
	require.Zero(t, reserved.Cmp(p.Reserved), "M12: %s reserved, %s in refunds without an outcome", p.Reserved, reserved)
	require.Zero(t, refunded.Cmp(p.Refunded), "M6: %s refunded, %s in refunds", p.Refunded, refunded)
	require.Equal(t, reversed, p.Status == store.Reversed, "M4")
	if reversed && p.Kind == store.Purchase {
		require.True(t, p.Captured.IsZero(), "M3")
	}
	if p.Status == store.Voided {
		require.True(t, p.Refunded.IsZero() && p.Reserved.IsZero(), "M5")
	}
	b.auditCharge(t, p)
}

// triesAgain reports a repeated charge of a later payment of a chain. The debit that completes a calculation is
// none: its parent is the calculation, which takes no money.
func (b *Books) triesAgain(p *records.Payment, t *records.Transaction) bool {
	charges := t.Operation == store.OpSale || t.Operation == store.OpAuth || t.Operation == store.OpDebit
	return charges && p.Transactions[0].Operation != store.OpCalc
}

// auditCharge compares a payment with the acquirer's row of its charge, once nothing of it is open.
func (b *Books) auditCharge(t testing.TB, p *records.Payment) {
	t.Helper()
	for _, tr := range p.Transactions {
		if !tr.Outcome.Final() || tr.Review != "" || tr.Decision != nil {
			return
		}
	}
	e, ok := b.Ledger[p.ChargeID()]
	if !ok || e.State != vcard.StateApproved {
		require.True(t, p.Authorized.IsZero(), "M8: the acquirer does not hold the authorized amount")
		return
	}
	require.Zero(t, e.Captured.Cmp(p.Captured), "M8: the acquirer took %s, we have %s", e.Captured, p.Captured)
	require.Equal(t, p.Status == store.Voided || p.Status == store.Reversed, e.Closed, "M8")
	if p.Status != store.Reversed {
		require.Zero(t, e.Refunded.Cmp(p.Refunded), "M8: the acquirer gave back %s, we %s", e.Refunded, p.Refunded)
	}
}

func (b *Books) auditTransaction(t testing.TB, tr *records.Transaction) {
	t.Helper()
	require.False(t, tr.Amount.IsZero() && tr.Operation != store.OpAuth, "M11: %s of nothing", tr.Operation)
	require.Equal(t, tr.Outcome.Final(), tr.Due.IsZero(), "what has no outcome is looked at again, what has one is not")
	if tr.Operation == store.OpChargeback || tr.Decision != nil || !tr.Outcome.Final() || tr.Review != "" {
		return
	}
	e, booked := b.Ledger[tr.ID]
	if tr.Outcome == store.Fail {
		require.Zero(t, e.Effects, "M8: %s failed here and was done there", tr.Operation)
		return
	}
	effects := 1
	if tr.Operation == store.OpCalc {
		effects = 0 // it only returns what a debit would cost
	}
	require.True(t, booked && e.State == vcard.StateApproved && e.Effects == effects, "M8: %s succeeded here only",
		tr.Operation)
	require.Zero(t, tr.Amount.Cmp(e.Amount))
	require.Equal(t, e.Currency, tr.Currency)
	require.Equal(t, e.Kind, tr.Operation)
	require.Equal(t, e.Reference, tr.Reference)
}

func (b *Books) auditSession(t testing.TB, s *store.Session) {
	t.Helper()
	paid, declined := 0, 0
	for _, p := range b.Payments {
		if p.SessionID != s.ID || p.Next != "" { // a cascade is one attempt of its payer
			continue
		}
		switch p.Transactions[0].Outcome {
		case store.Success:
			paid++
		case store.Fail:
			declined++
		default: // it runs
		}
		require.False(t, p.CreatedAt.After(s.ExpiresAt), "S8: nothing starts after expiry")
	}
	require.LessOrEqual(t, paid, 1, "S8: a link pays once")
	require.Equal(t, paid == 1, s.State == store.SessionPaid)
	require.Equal(t, s.Declines, declined)
	require.Equal(t, s.Running, s.Attempts > paid+declined, "S8: %d attempts, %d paid, %d declined", s.Attempts,
		paid, declined)
}

// auditTold compares what was reported to the merchant with the outcomes.
func (b *Books) auditTold(t testing.TB) {
	t.Helper()
	told, final := map[string]string{}, map[string]int{}
	for _, c := range b.Callbacks {
		require.Equal(t, store.CallbackDelivered, c.State, "C3: %s", c.ID)
		if told[c.TransactionID] = c.Outcome; store.Outcome(c.Outcome).Final() && c.Type != "3ds" && c.Type != "redirect" {
			final[c.TransactionID]++
		}
	}
	untold := map[string]bool{}
	for i := range b.Payments {
		if p := &b.Payments[i]; p.Next != "" && !ReportsDecline(p) {
			untold[p.ChargeID()] = true
		}
	}
	for _, tr := range b.Transactions {
		require.True(t, tr.Outcome.Final(), "L1: %s %s is %q, due %s, review %q", tr.Operation, tr.ID, tr.Outcome,
			tr.Due, tr.Review)
		if untold[tr.ID] {
			require.Zero(t, final[tr.ID], "C1: another attempt follows %s, so it must not be reported", tr.Operation)
			continue
		}
		require.Equal(t, string(tr.Outcome), told[tr.ID], "C1: the last word about %s", tr.Operation)
		require.Equal(t, 1, final[tr.ID], "C1: the outcome of %s is told once", tr.Operation)
	}
}

// auditCascades checks that an attempt that another one follows was declined, that the next one refers to it and
// goes to a MID that was not tried, that no order is paid twice, and that a later attempt of an APM payment sends
// the merchant no redirect.
func (b *Books) auditCascades(t testing.TB) {
	t.Helper()
	byID, taken := map[string]*records.Payment{}, map[string]int{}
	for i := range b.Payments {
		byID[b.Payments[i].ID] = &b.Payments[i]
	}
	for _, p := range byID {
		first := cmp.Or(p.Cascade, p.ID)
		if !p.Authorized.IsZero() {
			taken[first]++
		}
		if p.Next == "" {
			continue
		}
		next := byID[p.Next]
		require.NotNil(t, next)
		require.Equal(t, store.Declined, p.Status, "only what was declined is tried elsewhere")
		require.Equal(t, []any{first, append(slices.Clone(p.Tried), p.MIDID)}, []any{next.Cascade, next.Tried})
		require.NotContains(t, next.Tried, next.MIDID)
	}
	for first, times := range taken {
		require.Equal(t, 1, times, "M7: the cascade of %s took the money more than once", first)
	}
	for _, c := range b.Callbacks {
		if p := byID[c.PaymentID]; p != nil && p.Protocol == store.S2SAPM && p.Cascade != "" {
			require.NotContains(t, []string{"3ds", "redirect"}, c.Type, "a later attempt sends no redirect")
		}
	}
}
