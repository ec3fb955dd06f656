package methodstest

import (
	"slices"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// together is how many calls with one key run at once.
const together = 50

func chargeChecks() []check {
	return []check{
		{"capabilities/stable", needs{}, checkCapabilities},
		{"capabilities/every power is declared", needs{}, checkPowers},
		{"charge/approve", needs{}, checkApprove},
		{"charge/decline", needs{decline: true}, checkDecline},
		{"charge/two keys are two charges", needs{}, checkTwoKeys},
		{"charge/zero amount", needs{zeroAmount: true}, checkZeroAmount},
		{"charge/other currencies", needs{others: true}, checkOthers},
		{"idempotence/one after the other", needs{idempotent: true}, checkRepeat},
		{"idempotence/all at once", needs{idempotent: true}, checkConcurrent},
		{"idempotence/another amount", needs{idempotent: true}, checkKeyTaken},
		{"concurrency/different keys", needs{}, checkParallel},
	}
}

// checkPowers requires that a connector declares what it can do beside Perform, so that a wrapper which hides a power
// is found when a gateway is made.
func checkPowers(p *probe) {
	for _, power := range methods.PowersOf(p.connector) {
		if power != methods.Performs && !slices.Contains(p.can.Powers, power) {
			p.tb.Errorf("the connector has %s and does not declare it in Capabilities.Powers", power)
		}
	}
}

func checkCapabilities(p *probe) {
	d, ok := p.connector.(methods.Declarer)
	if !ok {
		p.tb.Log("the connector declares nothing: nothing is sent again, and no timeout becomes a decline")
		return
	}
	require.Equal(p.tb, p.can, d.Capabilities(), "capabilities do not change")
	require.GreaterOrEqual(p.tb, p.can.Lateness, p.can.Lateness*0, "lateness is not negative")
	require.GreaterOrEqual(p.tb, p.can.Timeout, p.can.Timeout*0, "the timeout is not negative")
	require.Contains(p.tb, methods.WalletSupports(), p.can.Wallet, "the support of wallets is one of the closed set")
	if p.finder == nil && !p.can.IdempotentByKey {
		p.tb.Log("neither a Finder nor idempotent: a transaction in doubt stays so until a person decides")
	}
}

func checkApprove(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	p.repeats(op, p.approved(op))
	p.effects(op, 1)
	p.booked(op)
}

func checkDecline(p *probe) {
	op := p.operation(store.OpSale, p.Decline)
	a := p.perform(op)
	require.Equal(p.tb, methods.ResultDeclined, a.Result)
	require.NotEmpty(p.tb, a.Reason, "a decline has a reason")
	p.repeats(op, a)
	p.effects(op, 0)
	if p.finder != nil {
		found := p.find(op).Result
		require.Contains(p.tb, []methods.Result{methods.ResultDeclined, methods.ResultNotFound}, found)
	}
}

func checkTwoKeys(p *probe) {
	first, second := p.operation(store.OpSale, p.Approve), p.operation(store.OpSale, p.Approve)
	a, b := p.approved(first), p.approved(second)
	require.NotEqual(p.tb, a.Reference, b.Reference, "two charges have two names")
	p.effects(first, 1)
	p.effects(second, 1)
}

func checkZeroAmount(p *probe) {
	kind := store.OpSale
	if p.can.Holds {
		kind = store.OpAuth
	}
	op := p.operation(kind, p.Approve)
	op.Amount = store.MustAmount("0.00")
	p.repeats(op, p.approved(op))
}

// checkOthers: amounts with another number of decimals arrive at the acquirer as they are, and come back so.
func checkOthers(p *probe) {
	for currency, amount := range p.Others {
		op := p.operation(store.OpSale, func(op *methods.Operation) {
			op.Currency, op.Amount = currency, store.MustAmount(amount)
			op.Order.Currency, op.Order.Amount = currency, amount
			p.Approve(op)
		})
		p.repeats(op, p.approved(op))
		p.booked(op)
		if p.finder != nil {
			p.repeats(op, p.find(op))
		}
	}
}

func checkRepeat(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	first, second := p.approved(op), p.approved(op)
	require.Equal(p.tb, first.Reference, second.Reference, "the first answer is repeated")
	p.repeats(op, second)
	p.effects(op, 1)
}

func checkKeyTaken(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	first := p.approved(op)
	other := op
	other.Amount = op.Amount.Add(op.Amount)
	a := p.perform(other)
	believed := a.Result == methods.ResultApproved && a.Repeats(other)
	require.False(p.tb, believed, "a used key approves no other amount")
	p.effects(op, 1)
	require.Equal(p.tb, first.Reference, p.approved(op).Reference, "the first charge is untouched")
}

// checkConcurrent: every answer reports the one effect.
func checkConcurrent(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	references := map[string]bool{}
	for _, a := range p.atOnce(func(int) methods.Operation { return op }) {
		switch a.Result {
		case methods.ResultApproved:
			references[a.Reference] = true
			p.repeats(op, a)
		case methods.ResultDeclined:
			require.Fail(p.tb, "a repeated key is declined while its charge is approved", a.Reason)
		default: // the answer reports no outcome
		}
	}
	require.Len(p.tb, references, 1, "all approvals are of one charge")
	p.effects(op, 1)
	if p.finder != nil {
		a := p.find(op)
		require.Equal(p.tb, methods.ResultApproved, a.Result)
		require.True(p.tb, references[a.Reference], "Find names the same charge")
	}
}

func checkParallel(p *probe) {
	ops := make([]methods.Operation, together)
	for i := range ops {
		ops[i] = p.operation(store.OpSale, p.Approve)
	}
	references := map[string]bool{}
	for i, a := range p.atOnce(func(i int) methods.Operation { return ops[i] }) {
		require.Equal(p.tb, methods.ResultApproved, a.Result, "cause %q, reason %q", a.Cause, a.Reason)
		p.repeats(ops[i], a)
		references[a.Reference] = true
		p.effects(ops[i], 1)
	}
	require.Len(p.tb, references, together, "every charge has a name of its own")
}

// atOnce calls Perform from many goroutines that start together.
func (p *probe) atOnce(op func(i int) methods.Operation) []methods.Answer {
	answers := make([]methods.Answer, together)
	panics := make([]any, together)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			defer func() { panics[i] = recover() }()
			<-start
			ctx, cancel := p.patient()
			defer cancel()
			answers[i] = p.connector.Perform(ctx, op(i))
		})
	}
	close(start)
	all.Wait()
	for i, a := range answers {
		require.Nil(p.tb, panics[i], "Perform panicked")
		p.judge("Perform", op(i), a)
	}
	return answers
}
