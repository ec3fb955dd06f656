package methodstest

import (
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func findChecks() []check {
	return []check{
		{"find/known", needs{finder: true}, checkFindKnown},
		{"find/unknown", needs{finder: true}, checkFindUnknown},
		{"find/another amount", needs{finder: true}, checkFindOther},
		{"find/payer away", needs{finder: true, away: true}, checkFindAway},
	}
}

func checkFindKnown(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	a := p.approved(op)
	// With our key alone: after a crash the gateway has no reference and no security code.
	question := op
	question.Card, question.Continuation = nil, nil
	for range 2 {
		found := p.find(question)
		require.Equal(p.tb, methods.ResultApproved, found.Result, "cause %q", found.Cause)
		require.Equal(p.tb, a.Reference, found.Reference)
		p.repeats(op, found)
	}
	p.effects(op, 1)
}

func checkFindUnknown(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	require.Equal(p.tb, methods.ResultNotFound, p.find(op).Result, "nothing was ever sent under the key")
	p.effects(op, 0)
}

// checkFindOther: the answer has what the acquirer has, so that a mismatch can be seen.
func checkFindOther(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	p.approved(op)
	op.Amount = op.Amount.Add(op.Amount)
	a := p.find(op)
	believed := a.Result == methods.ResultApproved && a.Repeats(op)
	require.False(p.tb, believed, "Find must return the acquirer's amount, not ours")
}

func checkFindAway(p *probe) {
	op := p.away()
	a := p.find(op)
	require.NotContains(p.tb, []methods.Result{methods.ResultApproved, methods.ResultNotFound}, a.Result,
		"the payer has not finished")
	p.effects(op, 0)
}
