package engine

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// ledger reads and changes the records of payments and transactions.
type ledger struct{ Store store.Store }

// Result is a payment and the transaction of a call, as stored afterwards. Redirect is where the payer has to go
// if the answer was a redirect; it is returned once and not stored.
type Result struct {
	Payment     records.Payment
	Transaction records.Transaction
	Redirect    *store.Redirect
}

func (l *ledger) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, l.Store, fn)
}

// createIntent stores the intent of an operation. If the store does not know whether it committed, the payment's
// record shows it.
func (l *ledger) createIntent(ctx context.Context, of *records.Transaction, fn func(store.Tx) error) error {
	return records.Create(ctx, l.Store, func(r store.Reader) error {
		_, _, err := records.FindTransaction(r, of.PaymentID, of.ID)
		return err
	}, fn)
}

func (l *ledger) payment(ctx context.Context, id string) (*records.Payment, error) {
	return records.Read(ctx, l.Store, records.Payments, id)
}

// result returns a transaction and its payment as stored.
func (l *ledger) result(ctx context.Context, paymentID, id string) (*Result, error) {
	r := &Result{}
	return r, l.Store.View(ctx, func(reader store.Reader) (err error) {
		r.Payment, r.Transaction, err = records.FindTransaction(reader, paymentID, id)
		return err
	})
}

// accepted reports whether the acquirer once confirmed that it has an operation. A later "not found" is then
// no evidence that it never arrived.
func accepted(t *records.Transaction) bool {
	return t.Accepted || t.Outcome == store.Waiting || len(t.Continuation) > 0
}

// confirms reports whether an answer says that the acquirer has the operation, also if it is not believed otherwise.
func confirms(t *records.Transaction, a methods.Answer) bool {
	switch a.Result {
	case methods.ResultUnknown, methods.ResultNotSent, methods.ResultNotFound, methods.ResultUnverified:
		return false
	default:
		return names(&a, t)
	}
}

// about is what an event is about.
func about(p *records.Payment, t *records.Transaction) observe.Subject {
	return observe.About(&p.Payment, &t.Transaction)
}
