package engine

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/store"
)

// begin is step one of a charge: it stores the claims, the payment, its intent and the recovery entry in one
// transaction.
func begin(tx store.Tx, op *Operation) error {
	if op.Claim != nil {
		if err := op.Claim(tx); err != nil {
			return err
		}
	}
	return insert(tx, op)
}

// insert writes the records of an attempt: the limits it uses, the payment, its intent, its place in the
// order and its other inserts. Limits come first, so that an attempt beyond a limit stores nothing.
func insert(tx store.Tx, op *Operation) (err error) {
	p, t := &op.Payment, &op.Transaction
	row, ok := state.Next(state.Key{Kind: p.Kind, From: store.New, Op: t.Operation, Event: state.Start})
	if !ok {
		return errors.New("the state table starts no " + string(t.Operation))
	}
	if t.CountedInLimits, err = takeLimits(tx, boundsOf(op.Merchant, p, op.MID), t); err != nil {
		return err
	}
	p.Status, p.Version, p.Running = row.To, 1, t.ID
	p.Transactions, p.Payment.Transactions = nil, nil
	p.Place(t)
	if err := records.AddToOrder(tx, p); err != nil {
		return err
	}
	if op.Insert != nil {
		if err := op.Insert(tx); err != nil {
			return err
		}
	}
	if err := records.MoveDue(tx, t, time.Time{}, t.CreatedAt); err != nil {
		return err
	}
	op.written, err = records.Payments.InsertKept(tx, p, p.ID)
	return err
}
