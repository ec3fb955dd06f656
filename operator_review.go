package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Review names a transaction that a person reviewed, who they are and why they decided. All four are required.
type Review = store.Review

// ResolveDoubt records what a person decided about a transaction that is in doubt or waiting: approved or not. Errors:
// ErrNoReview for any other transaction, and ErrInvalid without By or Why.
func (o Operator) ResolveDoubt(ctx context.Context, of Review, approved bool) (*Result, error) {
	if err := signedOff(&of); err != nil {
		return nil, err
	}
	if err := made(o.gw).gate.Enter(); err != nil {
		return nil, err
	}
	defer o.gw.gate.Leave()
	r, err := o.gw.engine.ResolveDoubt(ctx, of, approved)
	return shown(r), err
}

// Doubts returns transactions without an outcome that a person has to decide, at most limit, in no special order.
func (o Operator) Doubts(ctx context.Context, limit int) ([]store.Transaction, error) {
	return made(o.gw).engine.Doubts(ctx, limit)
}

// Breaches returns closed transactions that later evidence contradicts, like a charge that appeared after it was
// declined: oldest payment first, at most limit. The field Review names the evidence. The records stay as they are,
// and a person settles the difference with the acquirer. CloseBreach removes a transaction from the list. An error
// about a breach that cannot be read names it, and the others are in the list.
func (o Operator) Breaches(ctx context.Context, limit int) ([]store.Transaction, error) {
	return made(o.gw).engine.Breaches(ctx, limit)
}

// CloseBreach records who handled a breach, and in Why what was done. Errors: ErrNoReview when the transaction is no
// breach, and ErrInvalid without By or Why.
func (o Operator) CloseBreach(ctx context.Context, of Review) error {
	if err := signedOff(&of); err != nil {
		return err
	}
	return made(o.gw).engine.CloseBreach(ctx, of)
}

// signedOff refuses a decision that does not say who made it and why.
func signedOff(of *Review) error {
	if of.By == "" || of.Why == "" {
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: "by", Text: fields.TextBlank},
			refusal.Fault{Path: "why", Text: fields.TextBlank})
	}
	return nil
}
