package vcard

import (
	"context"
	"crypto/hmac"
	"errors"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Complete verifies what came back and settles op by the ledger. A return only proves that this payer was on the
// page; any outcome in it is ignored. The payer's answers to prompts are accepted as entered, only a one-time code
// of zeros is wrong. A forged return, or one of another payment, is unverified and changes nothing.
func (c *Connector) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	if ctx.Err() != nil {
		return methods.Unknown(op, "the context has ended")
	}
	o := c.scripts.take(CallComplete, op)
	if a, stop := o.halt(ctx, op, before); stop {
		return a
	}
	do := c.complete
	if back.Method == methods.Answered {
		do = c.completeAnswer
	}
	e, err := do(ctx, op, back, o.plan)
	switch {
	case errors.Is(err, errForged):
		return methods.Unverified(op, "the return does not belong to the operation")
	case err != nil:
		return methods.Unknown(op, "the ledger failed: "+err.Error())
	}
	if a, stop := o.halt(ctx, op, after); stop {
		return a
	}
	return o.spoiled(c.answer(op, e))
}

func (c *Connector) complete(ctx context.Context, op methods.Operation, back methods.Return,
	p *plan) (e Entry, err error) {
	now := c.now()
	err = c.books.store.Update(ctx, func(tx store.Tx) error {
		if e, err = c.books.get(tx, op.Key); errors.Is(err, store.ErrNotFound) {
			return errForged
		}
		switch {
		case err != nil:
			return err
		case !e.same(op) || e.ReturnHash == "" || !c.returned(e, op, back):
			return errForged
		}
		if e = e.at(now); e.State != StateAway || e.Payer == "" {
			return nil
		}
		if p != nil && p.verdict == decline {
			e.Refused, e.Later, e.Soft = true, p.reason, p.soft
		}
		e.settle(now)
		return c.books.put(tx, e)
	})
	return e, err
}

// returned checks the return against the entry: its own reference, and the token that only the page has.
func (c *Connector) returned(e Entry, op methods.Operation, back methods.Return) bool {
	name, token, use, method := "payment", "proof", "proof", "GET"
	if e.ThreeDS {
		name, token, use, method = "MD", "PaRes", "PaRes", "POST"
	}
	reference, proof := back.Params[name], back.Params[token]
	return back.Method == method && len(reference) == 1 && len(proof) == 1 &&
		hmac.Equal([]byte(reference[0]), []byte(e.Reference)) && c.signed(use, e.Reference, proof[0]) &&
		(len(op.Continuation) == 0 || hmac.Equal(op.Continuation, []byte(e.Reference)))
}

// completeAnswer accepts the payer's answer.
func (c *Connector) completeAnswer(ctx context.Context, op methods.Operation, back methods.Return,
	p *plan) (e Entry, err error) {
	now := c.now()
	err = c.books.store.Update(ctx, func(tx store.Tx) error {
		if e, err = c.books.get(tx, op.Key); errors.Is(err, store.ErrNotFound) {
			return errForged
		}
		switch {
		case err != nil:
			return err
		case !e.same(op) || len(e.Asking) == 0 && e.Answers == 0 || !e.continues(op):
			return errForged
		}
		e = e.at(now)
		value, ok := e.answered(op, back)
		if !ok {
			return nil
		}
		if p != nil && p.verdict == decline {
			e.Refused, e.Later, e.Soft = true, p.reason, p.soft
		}
		e.take(op, value, now)
		return c.books.put(tx, e)
	})
	return e, err
}
