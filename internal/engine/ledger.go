package engine

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// ledger reads and changes the records of payments and transactions.
type ledger struct{ Store store.Store }

// Result is a payment and the transaction that a call was about, as they stand after it. Next is where the payer has
// to go, when the answer was a redirect; it is told once and not stored.
type Result struct {
	Payment     store.Payment
	Transaction store.Transaction
	Redirect    *store.Redirect
}

func (l *ledger) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, l.Store, fn)
}

// createIntent stores what an operation begins with. Should the store not know whether it committed, the
// transaction's own record tells.
func (l *ledger) createIntent(ctx context.Context, id string, fn func(store.Tx) error) error {
	return records.Create(ctx, l.Store, func(r store.Reader) error {
		_, err := records.Transactions.Get(r, id)
		return err
	}, fn)
}

func (l *ledger) payment(ctx context.Context, id string) (*store.Payment, error) {
	return records.Read(ctx, l.Store, records.Payments, id)
}

func (l *ledger) transaction(ctx context.Context, id string) (*store.Transaction, error) {
	return records.Read(ctx, l.Store, records.Transactions, id)
}

// result is a transaction and its payment as they stand.
func (l *ledger) result(ctx context.Context, transactionID string) (*Result, error) {
	t, err := l.transaction(ctx, transactionID)
	if err != nil {
		return nil, err
	}
	p, err := l.payment(ctx, t.PaymentID)
	if err != nil {
		return nil, err
	}
	return &Result{Payment: *p, Transaction: *t}, nil
}

// accepted reports an operation of which the acquirer once said that it has it: not to find it then is
// no evidence that it was never there.
func accepted(t *store.Transaction) bool {
	return t.Outcome == store.Waiting || len(t.Continuation) > 0
}
