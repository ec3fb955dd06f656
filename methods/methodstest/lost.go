package methodstest

import (
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// lostChecks are about calls that fail on the way. A charge and a refund are tried: follow-ups are often written later,
// and with less care.
func lostChecks() []check {
	refund := []store.Operation{store.OpRefund}
	return []check{
		{"lost/request of a charge", needs{loseRequest: true}, lostRequest((*probe).newCharge)},
		{"lost/request of a refund", needs{loseRequest: true, operations: refund}, lostRequest((*probe).newRefund)},
		{"lost/answer to a charge", needs{loseAnswer: true}, lostAnswer((*probe).newCharge)},
		{"lost/answer to a refund", needs{loseAnswer: true, operations: refund}, lostAnswer((*probe).newRefund)},
		{"lost/status of a charge", needs{fail: true}, failedStatus((*probe).newCharge)},
		{"lost/status of a refund", needs{fail: true, operations: refund}, failedStatus((*probe).newRefund)},
		{"lost/status of a question", needs{fail: true, finder: true}, failedQuestion},
	}
}

func (p *probe) newCharge() methods.Operation { return p.operation(store.OpSale, p.Approve) }

func (p *probe) newRefund() methods.Operation {
	op, a := p.charge(store.OpSale)
	return p.on(op, a, store.OpRefund, p.half())
}

// lostRequest: the acquirer never had the request. The connector may know that, or not; it never reports an outcome.
func lostRequest(begin func(*probe) methods.Operation) func(*probe) {
	return func(p *probe) {
		op := begin(p)
		p.LoseRequest(p.tb, p.connector, op)
		p.open(p.perform(op), "a request that did not arrive")
		p.effects(op, 0)
		p.again(op)
	}
}

// lostAnswer: the acquirer did it, and nobody heard. Only Unknown is true.
func lostAnswer(begin func(*probe) methods.Operation) func(*probe) {
	return func(p *probe) {
		op := begin(p)
		p.LoseAnswer(p.tb, p.connector, op)
		a := p.perform(op)
		require.Equal(p.tb, methods.ResultUnknown, a.Result, "an answer that was lost leaves the outcome unknown")
		require.NotEmpty(p.tb, a.Cause, "unknown has a cause")
		p.effects(op, 1)
		if p.finder != nil {
			found := p.find(op)
			require.Equal(p.tb, methods.ResultApproved, found.Result, "Find finds what was done by the key alone")
			p.repeats(op, found)
		}
		p.again(op)
	}
}

// again sends the same operation once more, where the acquirer keeps the key: it is done once.
func (p *probe) again(op methods.Operation) {
	if !p.can.IdempotentByKey {
		return
	}
	p.repeats(op, p.approved(op))
	p.effects(op, 1)
}

// failedStatus: no status is an outcome. After a failure of the server the acquirer may have done it.
func failedStatus(begin func(*probe) methods.Operation) func(*probe) {
	return func(p *probe) {
		for _, status := range []int{401, 403, 408, 409, 429} {
			op := begin(p)
			p.Fail(p.tb, p.connector, op, status)
			p.open(p.perform(op), "status "+strconv.Itoa(status))
			p.again(op)
		}
		for _, status := range []int{408, 409, 500, 502, 503, 504} {
			op := begin(p)
			p.Fail(p.tb, p.connector, op, status)
			require.Equal(p.tb, methods.ResultUnknown, p.perform(op).Result, "status %d leaves the outcome unknown", status)
			p.again(op)
		}
	}
}

// failedQuestion: a question that failed finds nothing out. `Not found` would let the gateway send the operation again,
// or decline it.
func failedQuestion(p *probe) {
	op := p.newCharge()
	p.approved(op)
	for _, status := range []int{401, 403, 408, 429, 500, 502, 503} {
		p.Fail(p.tb, p.connector, op, status)
		require.Equal(p.tb, methods.ResultUnknown, p.find(op).Result, "a question answered with status %d", status)
	}
	require.Equal(p.tb, methods.ResultApproved, p.find(op).Result)
}

// open requires that an answer reports no outcome, and says why.
func (p *probe) open(a methods.Answer, after string) {
	require.Contains(p.tb, []methods.Result{methods.ResultUnknown, methods.ResultNotSent}, a.Result,
		"%s is no outcome: reason %q", after, a.Reason)
	require.NotEmpty(p.tb, a.Cause, "%s has a cause", after)
}
