package vcard

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// perform books op by plan, or returns what is booked under its key. The entry that it returns is the answer to
// op; it is not the stored one when a key is misused. repeated: the key was used before.
func (c *Connector) perform(ctx context.Context, op methods.Operation, p plan) (e Entry, repeated bool, err error) {
	id, now := c.newID(), c.now()
	err = c.books.store.Update(ctx, func(tx store.Tx) error {
		stored, err := c.books.get(tx, op.Key)
		switch repeated = err == nil; {
		case errors.Is(err, store.ErrNotFound):
			e = newEntry(op, id, now)
			if err := c.decide(tx, &e, op, p, now); err != nil {
				return err
			}
			return c.books.put(tx, e)
		case err != nil:
			return err
		}
		e, err = c.repeat(tx, stored.at(now), op, p, now)
		return err
	})
	return e, repeated, err
}

// repeat answers a key that was used before.
func (c *Connector) repeat(tx store.Tx, stored Entry, op methods.Operation, p plan, now time.Time) (Entry, error) {
	e := stored
	switch {
	case !stored.same(op):
		e.Kind, e.Amount, e.Currency, e.Open = op.Kind, op.Amount, op.Currency, op.AmountOpen
		e.decline("Key belongs to another operation", false)
		return e, nil
	case !c.can.IdempotentByKey:
		// An acquirer that is not idempotent books again. A second refusal does not undo the first booking.
		if err := c.decide(tx, &e, op, p, now); err != nil || e.State == StateDeclined && stored.Effects > 0 {
			return e, err
		}
	case stored.State == StateUnseen:
		e.Due = time.Time{}
		e.book(now)
	case stored.State == StateAway && op.ReturnURL != "":
		e.ReturnHash = hash(op.ReturnURL)
	}
	return e, c.books.put(tx, e)
}

// decide checks e against the rules first and the plan second, as an acquirer would.
func (c *Connector) decide(tx store.Tx, e *Entry, op methods.Operation, p plan, now time.Time) error {
	charge, reason, err := c.judge(tx, e, op, now)
	switch {
	case err != nil:
		return err
	case reason != "":
		e.decline(reason, false)
		return nil
	}
	e.Refused, e.Later, e.Soft, e.RefuseCapture, e.Flow = p.refused, p.reason, p.refused && p.soft, p.refuseCapture,
		p.flow()
	switch p.verdict {
	case decline:
		e.decline(p.reason, p.soft)
		return nil
	case threeDS, bank:
		if op.ReturnURL == "" {
			e.decline("Payer has no way back: the operation has no return URL", false)
			return nil
		}
		e.State, e.ThreeDS, e.Payer = StateAway, p.verdict == threeDS, ""
		e.ReturnHash, e.Due = hash(op.ReturnURL), now.Add(PayerTime)
		return nil
	case show:
		e.present(op, now)
		return nil
	case inquire:
		e.inquire(op, now)
		return nil
	case wait:
		e.State, e.Due = StatePending, e.dueAfter(now, p.after)
		return nil
	case unseen:
		e.State, e.Due = StateUnseen, e.dueAfter(now, p.after)
	default:
		e.book(now)
	}
	if charge == nil {
		return nil
	}
	act(charge, e, now)
	return c.books.put(tx, *charge)
}

// judge returns the charge that e follows up, nil for a charge itself, and the reason to refuse.
func (c *Connector) judge(tx store.Tx, e *Entry, op methods.Operation, now time.Time) (*Entry, string, error) {
	switch {
	case e.Amount.IsZero() && !e.Open && charges(e.Kind) && !c.can.ZeroAmount:
		return nil, "Zero amounts are not supported", nil
	case e.Kind == store.OpAuth && !c.can.Holds:
		return nil, "Authorizations are not supported", nil
	case e.tooLarge():
		return nil, "Amount is too large with its commission", nil
	case e.Kind == store.OpDebit && (op.ParentKey != "" || op.ParentReference != ""):
		reason, err := c.completes(tx, e, op, now)
		return nil, reason, err
	case charges(e.Kind) || e.Kind == store.OpCalc:
		reason, err := c.uses(tx, op, now)
		return nil, reason, err
	}
	charge, err := c.chargeOf(tx, op)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, "Charge is not known", nil
	case err != nil:
		return nil, "", err
	}
	e.Parent = charge.Key
	if charge = charge.at(now); charge.State != StateApproved {
		return nil, "Charge is not approved", nil
	}
	return &charge, rule(&charge, e, now), nil
}

// chargeOf goes from the parent that op names up to the charge. A reference that names neither of them counts as
// none.
func (c *Connector) chargeOf(r store.Reader, op methods.Operation) (Entry, error) {
	parent, err := c.books.get(r, op.ParentKey)
	if op.ParentKey == "" {
		parent, err = c.books.byReference(r, op.ParentReference)
	}
	if err != nil {
		return Entry{}, err
	}
	charge := parent
	if parent.Parent != "" {
		if charge, err = c.books.get(r, parent.Parent); err != nil {
			return Entry{}, err
		}
	}
	if ref := op.ParentReference; ref != "" && ref != parent.Reference && ref != charge.Reference {
		return Entry{}, store.ErrNotFound
	}
	return charge, nil
}

func (e Entry) dueAfter(now time.Time, d time.Duration) time.Time {
	if d == 0 {
		return time.Time{}
	}
	return now.Add(d)
}

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
