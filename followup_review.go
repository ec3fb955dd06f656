package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// ResolveDoubt records what a person decided about a transaction in doubt: approved or not, by whom and why.
// Error: ErrNoReview when it is not in doubt.
func (gw *Gateway) ResolveDoubt(ctx context.Context, id string, approved bool, by, why string) (*Result, error) {
	if err := signedOff(by, why); err != nil {
		return nil, err
	}
	if err := gw.gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	r, err := gw.engine.ResolveDoubt(ctx, id, approved, by, why)
	return (*Result)(r), err
}

// Doubts returns transactions without an outcome that a person has to decide about, oldest first, at most limit.
func (gw *Gateway) Doubts(ctx context.Context, limit int) ([]store.Transaction, error) {
	return gw.engine.Doubts(ctx, limit)
}

// Breaches returns closed transactions that later evidence contradicts, like a charge that appeared after it was
// declined: oldest first, at most limit. Review says what the evidence is. The records stay as they are, and a person
// settles it with the acquirer. CloseBreach removes one from the list.
func (gw *Gateway) Breaches(ctx context.Context, limit int) ([]store.Transaction, error) {
	return gw.engine.Breaches(ctx, limit)
}

// CloseBreach records that a person saw to a breach: who, and what was done. Error: ErrNoReview when the
// transaction is none.
func (gw *Gateway) CloseBreach(ctx context.Context, transactionID, by, why string) error {
	if err := signedOff(by, why); err != nil {
		return err
	}
	return gw.engine.CloseBreach(ctx, transactionID, by, why)
}

// signedOff refuses a decision that does not say who made it and why.
func signedOff(by, why string) error {
	if by == "" || why == "" {
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: "by", Text: fields.TextBlank},
			refusal.Fault{Path: "why", Text: fields.TextBlank})
	}
	return nil
}
