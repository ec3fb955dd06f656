package engine

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// Charge begins a payment and performs its first operation. A nil error means that the outcome in the result
// is stored, whatever it is. After an error for which IsFull is true nothing is stored, and the operation may
// be drafted for another MID. The room is empty.
func (e *Engine) Charge(ctx context.Context, op *Operation, room *Room) (*Result, error) {
	if err := e.calls.createIntent(ctx, &op.Transaction, func(tx store.Tx) error { return begin(tx, op) }); err != nil {
		return nil, err
	}
	return e.calls.charge(ctx, op, room)
}

// Intent returns a transaction as step one stores it.
func (e *Engine) Intent(p *records.Payment, op store.Operation, amount store.Amount,
	mid *store.MID) (records.Transaction, error) {
	id, err := e.NewID()
	now := e.Now()
	deadline := now.Add(e.calls.timeout(mid.Connector))
	return records.Transaction{Transaction: store.Transaction{
		ID: id, PaymentID: p.ID, MerchantID: p.MerchantID, Operation: op, Amount: amount,
		Currency: p.Order.Currency, MIDID: mid.ID, Connector: mid.Connector,
		CreatedAt: now, Due: deadline.Add(graceAfterDeadline + time.Second),
	}, DeadlineAt: deadline}, err
}

// Stop asks the connector of a transaction to end the schedule that the acquirer keeps. It changes no record and never
// fails: a panic or a missed deadline is an answer too. Since no transaction precedes it, the caller confirms what it
// has read (store.Confirm).
func (e *Engine) Stop(ctx context.Context, m Merchant, p *records.Payment, t *records.Transaction,
	question func(context.Context, methods.Operation) methods.Answer,
) methods.Answer {
	try := *t
	try.DeadlineAt = e.Now().Add(e.calls.timeout(t.Connector))
	op := e.calls.operation(p, &try, m)
	return e.calls.ask(context.WithoutCancel(ctx), inquiry{p, &try, observe.CallStop},
		func(ctx context.Context) methods.Answer { return question(ctx, op) }, nil)
}
