package engine

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// ResolveDoubt records a person's decision about a transaction in doubt: approved or not, by whom and why. It
// returns ErrNoReview if the transaction is not in doubt.
func (e *Engine) ResolveDoubt(ctx context.Context, of store.Review, approved bool) (*Result, error) {
	stored, err := e.calls.result(ctx, of.PaymentID, of.TransactionID)
	if err != nil && !records.Absent(err) {
		return nil, err
	}
	p, t := &stored.Payment, &stored.Transaction
	if err != nil || t.Outcome != store.InDoubt && t.Outcome != store.Waiting {
		return nil, refusal.ErrNoReview.With(err)
	}
	profile, err := e.Merchant(ctx, t.MerchantID)
	if err != nil {
		return nil, err
	}
	if err := profile.Speaks(p.Protocol); err != nil {
		return nil, err
	}
	answer, decided := methods.Declined(repeatedPart(t), "Declined by an operator"), store.Fail
	if approved {
		answer, decided = methods.Approved(repeatedPart(t), t.Reference), store.Success
	}
	decision := &store.Decision{Outcome: decided, By: of.By, Why: of.Why, At: e.Now()}
	o := outcome{answer: answer, also: func(t *records.Transaction) { t.Decision = decision }}
	return e.calls.applyOutcome(ctx, &call{merchant: profile, t: t, asked: true}, &o)
}
