package methodstest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func moneyChecks() []check {
	return []check{
		{"payout/once", needs{payout: true, idempotent: true, operations: []store.Operation{store.OpCredit}}, checkPayout},
		{"debit/calculated, then completed", needs{calc: true, operations: []store.Operation{store.OpCalc, store.OpDebit}}, checkCalc},
		{"open amount/chosen by the payer", needs{open: true, finder: true}, checkOpen},
	}
}

// checkPayout: a payout redirects no payer, and pays once.
func checkPayout(p *probe) {
	op := p.operation(store.OpCredit, p.Payout)
	op.ReturnURL = ""
	first, second := p.perform(op), p.perform(op)
	for _, a := range []methods.Answer{first, second} {
		require.Contains(p.tb, []methods.Result{methods.ResultApproved, methods.ResultPending}, a.Result,
			"reason %q, cause %q", a.Reason, a.Cause)
		p.repeats(op, a)
	}
	require.Equal(p.tb, first.Reference, second.Reference, "a repeated payout is the same payout")
	if first.Result == methods.ResultApproved {
		p.effects(op, 1)
	}
}

// checkCalc: a calculation moves no money and reports the commission; the debit that completes it reports the
// same.
func checkCalc(p *probe) {
	calc := p.operation(store.OpCalc, p.Calc)
	first := p.approved(calc)
	p.repeats(calc, first)
	p.effects(calc, 0)
	p.sums(calc, first)

	op := p.operation(store.OpDebit, p.Calc)
	op.Order, op.ParentKey, op.ParentReference = calc.Order, calc.Key, first.Reference
	a := p.perform(op)
	p.repeats(op, a)
	require.NotEqual(p.tb, methods.ResultDeclined, a.Result, "reason %q", a.Reason)
	if a.Result == methods.ResultApproved {
		require.Equal(p.tb, first.Facts.Commission, a.Facts.Commission, "the debit costs what was calculated")
		p.sums(op, a)
	}
}

// sums requires that amount and commission make the total, to the last decimal.
func (p *probe) sums(op methods.Operation, a methods.Answer) {
	commission, err := store.ParseAmount(a.Facts.Commission)
	require.NoError(p.tb, err, "commission %q", a.Facts.Commission)
	total, err := store.ParseAmount(a.Facts.TotalAmount)
	require.NoError(p.tb, err, "total %q", a.Facts.TotalAmount)
	require.Zero(p.tb, total.Cmp(op.Amount.Add(commission)), "%s and %s are not %s", op.Amount, commission, total)
}

// checkOpen: nothing is paid before the payer has chosen the amount, and then that amount is paid.
func checkOpen(p *probe) {
	op := p.operation(store.OpSale, p.Open)
	op.AmountOpen, op.Amount = true, store.Amount{}
	a := p.perform(op)
	require.Contains(p.tb, []methods.Result{methods.ResultRedirect, methods.ResultDisplay, methods.ResultPrompt,
		methods.ResultPending},
		a.Result, "reason %q, cause %q", a.Reason, a.Cause)
	p.repeats(op, a)
	p.effects(op, 0)
	op.Continuation = a.Continuation
	require.NotEqual(p.tb, methods.ResultApproved, p.find(op).Result, "the payer has not paid")

	p.Pay(p.tb, p.connector, op, a, p.Amount)
	found := p.paid(op)
	p.repeats(op, found)
	require.Zero(p.tb, found.Amount.Cmp(p.Amount), "the payer chose %s, not %s", p.Amount, found.Amount)
	p.effects(op, 1)
}

// pollEvery is the pause between questions about a pending payment.
const pollEvery = 50 * time.Millisecond

// paid asks until the acquirer has the payer's money, at most for as long as one call may take.
func (p *probe) paid(op methods.Operation) methods.Answer {
	for until := time.Now().Add(p.Patience); ; time.Sleep(pollEvery) {
		found := p.find(op)
		if found.Result != methods.ResultPending || time.Now().After(until) {
			require.Equal(p.tb, methods.ResultApproved, found.Result, "reason %q, cause %q", found.Reason, found.Cause)
			return found
		}
	}
}
