package vcard

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Perform books op, or answers why not. A second call with the same key finds the booking of the first and books
// nothing; the same key for another kind, amount or currency is declined.
func (c *Connector) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	switch {
	case ctx.Err() != nil:
		return methods.NotSent(op, "the context had ended before anything was sent")
	case op.Key == "" || len(op.Key) > maxKey || !utf8.ValidString(op.Key):
		return methods.NotSent(op, "the operation has no valid key")
	}
	o := c.scripts.take(CallPerform, op)
	if a, stop := o.halt(ctx, op, before); stop {
		return a
	}
	p := planOf(op, c.can)
	if o.plan != nil {
		p = *o.plan
	}
	e, repeated, err := c.perform(ctx, op, p)
	if err != nil {
		return methods.Unknown(op, "the ledger failed: "+err.Error())
	}
	if a, stop := o.halt(ctx, op, after); stop {
		return a
	}
	if p.lost && !repeated {
		return methods.Unknown(op, "the answer was lost")
	}
	return o.spoiled(c.answer(op, e))
}

// Find answers with what the ledger has under op's key, after the changes that were due: late effects, pending
// outcomes and payers who did not finish.
func (c *Connector) Find(ctx context.Context, op methods.Operation) methods.Answer {
	if ctx.Err() != nil {
		return methods.Unknown(op, "the context has ended")
	}
	o := c.scripts.take(CallFind, op)
	for _, s := range []stage{before, after} {
		if a, stop := o.halt(ctx, op, s); stop {
			return a
		}
	}
	if o.plan != nil {
		return o.spoiled(o.plan.claim(op))
	}
	e, err := c.Entry(ctx, op.Key)
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && e.State == StateUnseen:
		return o.spoiled(methods.NotFound(op))
	case err != nil:
		return methods.Unknown(op, "the ledger failed: "+err.Error())
	}
	return o.spoiled(c.found(op, e))
}
