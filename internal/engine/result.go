package engine

import (
	"context"

	"github.com/tollgatepay/gateway/store"
)

// Result is a payment and the transaction that a call was about, as they stand after it. Next is where the payer has
// to go, when the answer was a redirect; it is told once and not stored.
type Result struct {
	Payment     store.Payment
	Transaction store.Transaction
	Next        *store.Next
}

// Result is a transaction and its payment as they stand.
func (e *Engine) Result(ctx context.Context, transactionID string) (*Result, error) {
	t, err := e.transaction(ctx, transactionID)
	if err != nil {
		return nil, err
	}
	p, err := e.payment(ctx, t.PaymentID)
	if err != nil {
		return nil, err
	}
	return &Result{Payment: *p, Transaction: *t}, nil
}
