package engine

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Follow runs a follow-up through the three steps.
func (e *Engine) Follow(ctx context.Context, f *FollowUp) (*Result, error) {
	if err := e.calls.createIntent(ctx, f.Draft.ID, f.begin); err != nil {
		return nil, err
	}
	op := e.calls.operation(&f.payment, &f.intent, f.Merchant)
	c := &call{merchant: f.Merchant, t: &f.intent, link: f.Way.Link, alone: f.Way.Alone, written: f.written}
	if f.Give != nil {
		e.calls.addSecrets(&op, f.Give)
	}
	connector, ok := e.Connectors[f.intent.Connector]
	return e.calls.perform(ctx, c, func(ctx context.Context) methods.Answer {
		if !ok {
			return methods.NotSent(op, "the connector is not configured")
		}
		return connector.Perform(ctx, op)
	})
}

// begin is step one: it checks the payment's current status, reserves the amount, and stores the intent.
func (u *FollowUp) begin(tx store.Tx) error {
	p, err := records.OwnPayment(tx, u.Owner, u.PaymentID)
	if err != nil {
		return err
	}
	t := u.Draft
	if t.Operation, err = allowed(&p, u.Ask); err != nil {
		return err
	}
	if u.Claim != nil {
		if err := u.Claim(tx, &p); err != nil {
			return err
		}
	}
	if u.Ask == state.Retry { // another retry may have been declined for good in the meantime
		if err := IsSoft(tx, &p); err != nil {
			return err
		}
	}
	if err := u.reserve(&p, &t); err != nil {
		return err
	}
	if u.Ask != state.Retry {
		if err := u.parent(tx, &p, &t); err != nil {
			return err
		}
	}
	if t.Operation == store.OpSale || t.Operation == store.OpDebit { // charged again
		if t.CountedInLimits, err = takeLimits(tx, boundsOf(u.Merchant, &p, u.Merchant.MID(p.MIDID)), &t); err != nil {
			return err
		}
	}
	p.Transactions = append(p.Transactions, t.ID)
	p.Version++
	p.UpdatedAt = t.CreatedAt
	u.payment, u.intent = p, t
	if u.written.intent, err = insertIntent(tx, &t); err != nil {
		return err
	}
	u.written.payment, err = records.Payments.PutKept(tx, p, p.ID)
	return err
}
