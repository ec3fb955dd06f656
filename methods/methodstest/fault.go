package methodstest

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func faultChecks() []check {
	return []check{
		{"context/cancelled", needs{}, func(p *probe) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			checkEnded(p, ctx)
		}},
		{"context/deadline passed", needs{}, func(p *probe) {
			ctx, cancel := context.WithDeadline(context.Background(), time.Unix(1, 0))
			defer cancel()
			checkEnded(p, ctx)
		}},
		{"context/acquirer does not answer", needs{stall: true}, checkStall},
		{"empty operations", needs{}, checkEmpty},
	}
}

// checkEnded: an answer after the context had ended has to be true.
func checkEnded(p *probe, ctx context.Context) {
	op := p.operation(store.OpSale, p.Approve)
	a := p.call("Perform", ctx, op, p.connector.Perform)
	p.truthful(op, a)
	if p.finder != nil {
		found := p.call("Find", ctx, op, p.finder.Find)
		require.False(p.tb, found.Result == methods.ResultNotFound && a.Result == methods.ResultApproved,
			"a failed question is unknown, not `not found`")
	}
}

// truthful compares an answer with what the acquirer has.
func (p *probe) truthful(op methods.Operation, a methods.Answer) {
	switch a.Result {
	case methods.ResultApproved:
		p.effects(op, 1)
	case methods.ResultNotSent:
		p.effects(op, 0)
		if p.finder != nil {
			require.Equal(p.tb, methods.ResultNotFound, p.find(op).Result, "not sent means certainly no effect")
		}
	case methods.ResultUnknown:
		require.NotEmpty(p.tb, a.Cause, "unknown has a cause")
	default:
		require.Fail(p.tb, "a call after its context answers "+string(a.Result))
	}
}

func checkStall(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	p.Stall(p.tb, p.connector, op)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	a := p.call("Perform", ctx, op, p.connector.Perform)
	require.Equal(p.tb, methods.ResultUnknown, a.Result, "an acquirer that does not answer leaves the outcome unknown")
	p.truthful(op, a)
}

// checkEmpty: a connector that gets less than it needs must neither panic nor approve.
func checkEmpty(p *probe) {
	ops := []methods.Operation{{}}
	for _, kind := range append(store.Operations(), "NOSUCH") {
		ops = append(ops, methods.Operation{Kind: kind},
			methods.Operation{Kind: kind, Key: "", Currency: p.Currency, Amount: p.Amount})
	}
	for _, op := range ops {
		p.nothing("Perform", p.perform(op))
		if p.finder != nil {
			p.nothing("Find", p.find(op))
		}
		if p.completer != nil {
			p.nothing("Complete", p.complete(op, methods.Return{}))
		}
		if p.notified != nil {
			p.nothing("Notification", p.notification(op, methods.Note{}))
		}
		p.effects(op, 0)
	}
}

// nothing requires that an empty operation began nothing.
func (p *probe) nothing(name string, a methods.Answer) {
	require.Contains(p.tb, []methods.Result{methods.ResultDeclined, methods.ResultNotSent, methods.ResultUnknown,
		methods.ResultUnverified, methods.ResultNotFound}, a.Result, "%s performed an empty operation", name)
}
