package vcard

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// ErrDecided: the entry does not wait for anything that Resolve could decide.
var ErrDecided = errors.New("vcard: the entry is decided")

// Resolve decides an entry that is pending, whose payer is away or still has to pay, or that is not seen yet: with
// Approve, Decline or SoftDecline. An open amount that is approved is one unit of its currency; Pay chooses
// another. Errors: store.ErrNotFound for an unknown key, ErrDecided for an entry that is decided.
func (c *Connector) Resolve(ctx context.Context, key string, o Outcome) error {
	if o.plan == nil || o.plan.verdict != approve && o.plan.verdict != decline {
		return errors.New("vcard: Resolve takes Approve, Decline or SoftDecline, not " + o.name)
	}
	now := c.now()
	return c.books.store.Update(ctx, func(tx store.Tx) error {
		e, err := c.books.get(tx, key)
		if err != nil {
			return err
		}
		if e = e.at(now); e.State == StateApproved || e.State == StateDeclined {
			return ErrDecided
		}
		return c.finish(tx, e, *o.plan, now)
	})
}

// finish moves a waiting entry to the plan's result. A follow-up that is not seen yet has changed the charge from
// the start, and can no longer be declined.
func (c *Connector) finish(tx store.Tx, e Entry, p plan, now time.Time) error {
	waited := e.State
	e.Due = time.Time{}
	switch {
	case p.verdict == decline && waited == StateUnseen && e.Parent != "":
		return ErrDecided
	case p.verdict == decline:
		e.decline(p.reason, p.soft)
	case charges(e.Kind) || waited == StateUnseen:
		e.book(now)
	default:
		op := methods.Operation{Kind: e.Kind, ParentKey: e.Parent}
		if err := c.decide(tx, &e, op, plan{}, now); err != nil {
			return err
		}
	}
	return c.books.put(tx, e)
}
