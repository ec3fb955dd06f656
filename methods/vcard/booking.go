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
	if p, err = c.short(tx, op, p); err != nil {
		return err
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
		reason, err := c.books.completes(tx, e, op, now)
		return nil, reason, err
	case charges(e.Kind) || e.Kind == store.OpCalc:
		reason, err := c.books.uses(tx, op, now)
		return nil, reason, err
	}
	charge, err := c.books.chargeOf(tx, op)
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

// newEntry returns the entry before anything is decided.
func newEntry(op methods.Operation, reference string, now time.Time) Entry {
	e := Entry{Key: op.Key, Kind: op.Kind, Order: op.Order.Number, Amount: op.Amount, Currency: op.Currency,
		Reference: reference, At: now, Merchant: op.Merchant, Method: op.Method, MethodKind: op.MethodKind,
		Open:    op.AmountOpen,
		Network: networkOf(op), Commission: commissionOf(op),
		MID: op.MID.ID, COF: op.COF, Registers: registers(op), Credential: op.Credential, Schedule: scheduleOf(op)}
	if op.Card != nil {
		e.Brand, e.Card = op.Card.PAN.Brand(), lastFour(op.Card.PAN)
	}
	return e
}

// lastFour returns the only part of a card number that a page shows.
func lastFour(pan store.PAN) string {
	mask := pan.Mask()
	return mask[max(0, len(mask)-4):]
}

func (e Entry) dueAfter(now time.Time, d time.Duration) time.Time {
	if d == 0 {
		return time.Time{}
	}
	return now.Add(d)
}

// short declines the first try of a later payment of a chain, where the plan says so, and remembers it.
func (c *Connector) short(tx store.Tx, op methods.Operation, p plan) (plan, error) {
	later := op.COF.Source == store.Recurring && op.COF.Sequence == store.SubsequentUse
	if !p.shortOnce || !later {
		return p, nil
	}
	key := c.books.shortKey(op.PaymentID)
	_, err := tx.Get(key)
	if errors.Is(err, store.ErrNotFound) {
		return plan{verdict: decline, reason: reasonShort, soft: true}, tx.Put(key, []byte(op.Key))
	}
	return p, err
}
