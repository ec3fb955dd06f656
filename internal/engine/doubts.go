package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// reviews lists the transactions that a person has to review.
type reviews struct {
	*ledger
	now func() time.Time
}

// Doubts returns transactions without an outcome that a person has to review, at most limit, in no special order.
func (v *reviews) Doubts(ctx context.Context, limit int) ([]store.Transaction, error) {
	var list []store.Transaction
	err := v.Store.View(ctx, func(r store.Reader) error {
		list = nil
		ids, err := records.RecoveryQueue.IDs(r, maxDoubtScan)
		if err != nil {
			return err
		}
		for _, id := range ids {
			_, t, err := records.OfEntry(r, id)
			if due.IsLost(err) {
				continue // recovery sets it aside
			}
			if err != nil {
				return err
			}
			if t.Review != "" && len(list) < limit {
				list = append(list, t.Transaction)
			}
		}
		return nil
	})
	return list, err
}

// maxDoubtScan bounds how many open transactions one call of Doubts reads.
const maxDoubtScan = 10_000

// Breaches returns closed transactions that later evidence contradicts, such as a charge that appeared after
// it was declined, oldest payment first, at most limit. The field Review says what happened. The records stay as they
// are, and a person has to settle the difference with the acquirer. CloseBreach removes a transaction from
// the list. An error about a breach that cannot be read names it, and the others are in the list.
func (v *reviews) Breaches(ctx context.Context, limit int) ([]store.Transaction, error) {
	var list []store.Transaction
	var lost error
	err := v.Store.View(ctx, func(r store.Reader) error {
		list, lost = nil, nil
		for entry := range r.Scan(store.Range{Prefix: records.KeyOfBreach(), Limit: limit}) {
			parts, err := store.SplitKey(entry.Key)
			if err = errors.Join(entry.Err, err); err != nil {
				return err
			}
			if len(parts) != 3 {
				return fmt.Errorf("the entry of a breach has %d parts", len(parts))
			}
			_, t, err := records.FindTransaction(r, parts[1], parts[2])
			switch {
			case due.IsLost(err):
				lost = errors.Join(lost, fmt.Errorf("breach of payment %s, transaction %s: %w", parts[1], parts[2], err))
			case err != nil:
				return err
			default:
				list = append(list, t.Transaction)
			}
		}
		return nil
	})
	return list, errors.Join(err, lost)
}

// CloseBreach records who handled a breach and what was done. It returns ErrNoReview if the transaction is
// not a breach.
func (v *reviews) CloseBreach(ctx context.Context, of store.Review) error {
	return v.update(ctx, func(tx store.Tx) error {
		key := records.KeyOfBreach(of.PaymentID, of.TransactionID)
		if _, err := tx.Get(key); records.Absent(err) {
			return refusal.ErrNoReview
		} else if err != nil {
			return err
		}
		p, t, err := records.FindTransaction(tx, of.PaymentID, of.TransactionID)
		if err != nil {
			return err
		}
		t.ReviewedBy = &store.Decision{Outcome: t.Outcome, By: of.By, Why: of.Why, At: v.now()}
		return errors.Join(tx.Delete(key), records.PutTransaction(tx, &p, &t))
	})
}

// Requeue gives a transaction without an outcome its place in the recovery queue again, due now.
func (v *reviews) Requeue(tx store.Tx, entry string) error {
	p, t, err := records.OfEntry(tx, entry)
	if err != nil || t.Outcome.Final() {
		return err
	}
	was := t.Due
	t.Due = v.now()
	return errors.Join(records.MoveEntry(tx, records.RecoveryQueue, t.Connector, entry, was, t.Due),
		records.PutTransaction(tx, &p, &t))
}

// review leaves a transaction without an outcome and records why a person has to decide. Recovery still looks
// at it on schedule, because evidence may come later. If the transaction has changed since it was looked at, that is
// no longer why.
func (r *recovery) review(ctx context.Context, p Merchant, t *records.Transaction, why string) error {
	o := outcome{answer: unchanged(t, why), also: func(now *records.Transaction) {
		if now.Version == t.Version {
			now.Review = why
		}
	}}
	_, err := r.applyOutcome(ctx, &call{merchant: p, t: t, asked: true, beside: true}, &o)
	return err
}
