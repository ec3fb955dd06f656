package engine

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// reviews lists what a person has to look at.
type reviews struct {
	*ledger
	now func() time.Time
}

// Doubts answers transactions that have no outcome and that a person has to look at, oldest first, at
// most limit.
func (v *reviews) Doubts(ctx context.Context, limit int) ([]store.Transaction, error) {
	var list []store.Transaction
	err := v.Store.View(ctx, func(r store.Reader) error {
		list = nil
		ids, err := records.RecoveryQueue.IDs(r, maxDoubtScan)
		if err != nil {
			return err
		}
		for _, id := range ids {
			t, err := records.Transactions.Get(r, id)
			if due.IsLost(err) {
				continue // recovery sets it aside
			}
			if err != nil {
				return err
			}
			if t.Review != "" && len(list) < limit {
				list = append(list, t)
			}
		}
		return nil
	})
	return list, err
}

// maxDoubtScan bounds how many open transactions one call of Doubts looks at.
const maxDoubtScan = 10_000

// Breaches answers closed transactions that later evidence speaks against, a charge that appeared after it was
// declined say, oldest first, at most limit. Review tells what; the records stand as they are, and a person
// sets right what is wrong with the acquirer. CloseBreach takes one off the list.
func (v *reviews) Breaches(ctx context.Context, limit int) ([]store.Transaction, error) {
	var list []store.Transaction
	err := v.Store.View(ctx, func(r store.Reader) error {
		list = nil
		for entry := range r.Scan(store.Range{Prefix: records.KeyOfBreach(), Limit: limit}) {
			parts, err := store.SplitKey(entry.Key)
			if err = errors.Join(entry.Err, err); err != nil {
				return err
			}
			t, err := records.Transactions.Get(r, parts[len(parts)-1])
			if err != nil {
				return err
			}
			list = append(list, t)
		}
		return nil
	})
	return list, err
}

// CloseBreach records that a person saw to a breach: who, and what was done. Error: ErrNoReview when the
// transaction is none.
func (v *reviews) CloseBreach(ctx context.Context, transactionID, by, why string) error {
	return v.update(ctx, func(tx store.Tx) error {
		if _, err := tx.Get(records.KeyOfBreach(transactionID)); records.Absent(err) {
			return refusal.ErrNoReview
		} else if err != nil {
			return err
		}
		t, err := records.Transactions.Get(tx, transactionID)
		if err != nil {
			return err
		}
		t.ReviewedBy = &store.Decision{Outcome: t.Outcome, By: by, Why: why, At: v.now()}
		t.Version++
		return errors.Join(tx.Delete(records.KeyOfBreach(t.ID)), records.Transactions.Put(tx, t, t.ID))
	})
}

// review keeps a transaction without an outcome and says why a person has to decide. Recovery looks
// again on its schedule: evidence may still come.
func (r *recovery) review(ctx context.Context, p Merchant, t *store.Transaction, why string) error {
	o := outcome{answer: unchanged(t, why), also: func(t *store.Transaction) { t.Review = why }}
	_, err := r.applyOutcome(ctx, call{merchant: p, t: t, asked: true}, &o)
	return err
}
