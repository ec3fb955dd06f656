package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// Follow runs a follow-up through the three steps.
func (e *Engine) Follow(ctx context.Context, f *FollowUp) (*Result, error) {
	if err := e.calls.createIntent(ctx, &f.Draft, f.begin); err != nil {
		return nil, err
	}
	op := e.calls.operation(&f.payment, &f.intent, f.Merchant)
	c := &call{merchant: f.Merchant, p: &f.payment, t: &f.intent, calls: observe.CallPerform, link: f.Way.Link,
		alone: f.Way.Alone, written: f.written}
	if f.Give != nil {
		e.calls.addSecrets(&op, f.Give)
	}
	connector, ok := e.Connectors[f.intent.Connector]
	return e.calls.perform(ctx, c, &outcome{}, func(ctx context.Context) methods.Answer {
		if !ok {
			return methods.NotSent(op, "the connector is not configured")
		}
		return connector.Perform(ctx, op)
	})
}

// maxPayment bounds in bytes the record of a payment on which an operation begins. The rest of what a store takes is
// for the answers of the operations under way.
const maxPayment = store.MaxValue / 2

// begin is step one: it checks the payment's current status, reserves the amount, and stores the intent.
func (u *FollowUp) begin(tx store.Tx) error {
	p, err := records.OwnPayment(tx, u.Owner, u.PaymentID)
	if err != nil {
		return err
	}
	t, err := u.draft(&p)
	if err != nil {
		return err
	}
	if err := u.claim(tx, &p); err != nil {
		return err
	}
	if u.Ask == state.Retry { // another retry may have been declined for good in the meantime
		if err := IsSoft(&p); err != nil {
			return err
		}
	}
	if err := u.reserve(&p, &t); err != nil {
		return err
	}
	if u.Ask != state.Retry {
		if err := u.parent(&p, &t); err != nil {
			return err
		}
	}
	if t.Operation == store.OpSale || t.Operation == store.OpDebit { // charged again
		if t.CountedInLimits, err = takeLimits(tx, boundsOf(u.Merchant, &p, u.Merchant.MID(p.MIDID)), &t); err != nil {
			return err
		}
	}
	return u.store(tx, p, t)
}

func (u *FollowUp) claim(tx store.Tx, p *records.Payment) error {
	if u.Claim == nil {
		return nil
	}
	return u.Claim(tx, p)
}

// draft returns the draft with its operation, if the payment's status allows it. Nothing takes the place of a
// transaction that has the same id.
func (u *FollowUp) draft(p *records.Payment) (t records.Transaction, err error) {
	if p.Transaction(u.Draft.ID) != nil {
		return t, fmt.Errorf("transaction %s: %w", u.Draft.ID, store.ErrExists)
	}
	t = u.Draft
	t.Operation, err = allowed(p, u.Ask)
	return t, err
}

// store writes the payment with its new transaction, and the recovery entry of that one.
func (u *FollowUp) store(tx store.Tx, p records.Payment, t records.Transaction) (err error) {
	p.SetTransaction(&t)
	p.Version++
	p.UpdatedAt = t.CreatedAt
	u.payment, u.intent = p, t
	if err := records.MoveDue(tx, &t, time.Time{}, t.CreatedAt); err != nil {
		return err
	}
	if u.written, err = records.Payments.PutKept(tx, &p, p.ID); err != nil {
		return err
	}
	if u.written.Size() > maxPayment {
		return refused[u.Ask]
	}
	return nil
}
