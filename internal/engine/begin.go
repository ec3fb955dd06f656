package engine

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Charge begins a payment and performs its first operation. A nil error means that the outcome in the result is stored,
// whatever it is. An error that IsFull reports leaves nothing behind: the operation may be drafted for another MID.
func (e *Engine) Charge(ctx context.Context, op *Operation) (*Result, error) {
	if err := e.createIntent(ctx, op.Transaction.ID, func(tx store.Tx) error { return e.begin(tx, op) }); err != nil {
		return nil, err
	}
	return e.charge(ctx, op)
}

// charge performs an operation whose intent is stored.
func (e *Engine) charge(ctx context.Context, op *Operation) (*Result, error) {
	given := e.operation(&op.Payment, &op.Transaction, op.Merchant)
	e.give(&given, &op.Give)
	f := flight{
		merchant: op.Merchant, protocol: op.Payment.Protocol, t: &op.Transaction,
		link: op.Link, hosted: op.Hosted, alone: op.Alone, written: op.written,
	}
	if op.Next != nil {
		f.next = func(ctx context.Context) (*Operation, error) { return op.Next(ctx, op) }
	}
	connector := e.Connectors[op.MID.Connector]
	return e.perform(ctx, f, func(ctx context.Context) methods.Answer {
		if lacks(connector, op.Transaction.Browser) {
			return methods.Declined(given, "INVALID_REQUEST")
		}
		return connector.Perform(ctx, given)
	})
}

// give tells an operation what is not in the records, and its links.
func (e *Engine) give(op *methods.Operation, g *Give) {
	op.Card, op.PayeeCard, op.MPI, op.Wallet, op.Parameters = g.Card, g.PayeeCard, g.MPI, g.Wallet, g.Parameters
	op.ReturnURL = e.Site.Return(links.Token(op.TransactionID, g.Secret))
	op.NotificationURL = e.Site.Notify(links.Token(op.TransactionID, g.Notice))
}

// Intent is a transaction as step one stores it.
func (e *Engine) Intent(p *store.Payment, op store.Operation, amount store.Amount, mid *store.MID) (store.Transaction, error) {
	id, err := e.NewID()
	now := e.Now()
	deadline := now.Add(e.Timeout(mid.Connector))
	return store.Transaction{
		ID: id, PaymentID: p.ID, MerchantID: p.MerchantID, Operation: op, Amount: amount,
		Currency: p.Order.Currency, MIDID: mid.ID, Connector: mid.Connector,
		CreatedAt: now, DeadlineAt: deadline, Due: deadline.Add(graceAfterDeadline + time.Second),
	}, err
}

// begin is step one of a charge: its claims, the payment, its intent and the recovery entry in one transaction.
func (e *Engine) begin(tx store.Tx, op *Operation) error {
	for _, claim := range op.Claims {
		if err := claim.Take(tx, op); err != nil {
			return err
		}
	}
	return e.insert(tx, op)
}

// insert writes the records of an attempt: the payment, its intent, its place in the order, what it inserts besides
// and what it takes of the limits. Limits come first: an attempt that one refuses leaves nothing behind.
func (e *Engine) insert(tx store.Tx, op *Operation) (err error) {
	p, t := op.Payment, op.Transaction
	row, ok := state.Next(state.Key{Kind: p.Kind, From: store.New, Op: t.Operation, Event: state.Start})
	if !ok {
		return errors.New("the state table starts no " + string(t.Operation))
	}
	if t.Counted, err = takeLimits(tx, boundsOf(op.Merchant, &p, op.MID), &t); err != nil {
		return err
	}
	p.Status, p.Version, p.Running, p.Transactions = row.To, 1, t.ID, []string{t.ID}
	owner := records.Owner{MerchantID: p.MerchantID, Test: p.Test}
	if err := tx.Put(records.KeyOfOrder(owner, p.Order.Number, p.ID), []byte{}); err != nil {
		return err
	}
	for _, claim := range op.Inserts {
		if err := claim.Take(tx, op); err != nil {
			return err
		}
	}
	if op.written.payment, err = records.Payments.InsertKept(tx, p, p.ID); err != nil {
		return err
	}
	op.Payment, op.Transaction = p, t
	op.written.intent, err = insertIntent(tx, &t)
	return err
}

// written is what step one wrote, for step three to read again.
type written struct {
	payment store.Kept[store.Payment]
	intent  store.Kept[store.Transaction]
}

func insertIntent(tx store.Tx, t *store.Transaction) (store.Kept[store.Transaction], error) {
	if err := records.MoveDue(tx, t, time.Time{}); err != nil {
		return store.Kept[store.Transaction]{}, err
	}
	return records.Transactions.InsertKept(tx, *t, t.ID)
}

// lacks reports a browser attribute that the connector cannot do without and the payer's browser did not give
// (decision al): the payment is declined with cause INVALID_REQUEST before anything is sent.
func lacks(connector methods.Connector, browser map[string]string) bool {
	for _, name := range methods.CapabilitiesOf(connector).BrowserFields {
		if browser[name] == "" {
			return true
		}
	}
	return false
}
