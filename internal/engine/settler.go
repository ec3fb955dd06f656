package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// settler applies answers to the records.
type settler struct {
	*ledger
	*acquirers
	Log          *slog.Logger
	Currencies   *methods.Currencies
	Consequences []Consequence
	Sends        func(s *Settlement, body []byte) error
	Changed      func(from store.Status, r *Result)
	Wake         func()
}

// applyOutcome is step three: it records the outcome of an answer, moves the payment along the state table,
// and queues the callback, in one transaction. It may run more than once and in several instances for one
// transaction. The first final outcome wins; all other calls return what is stored. If a later final outcome
// contradicts it, the transaction is marked for review.
func (v *settler) applyOutcome(ctx context.Context, f *call, o *outcome) (*Result, error) {
	done := &Result{}
	var from store.Status
	apply := func(tx store.Tx) error {
		s, err := v.loadSettlement(tx, f, o, done)
		if err != nil {
			return err
		}
		from, o.cascaded = s.Payment.Status, false
		o.changed, err = s.take(o.answer)
		return err
	}
	err := v.update(ctx, apply)
	if errors.Is(err, store.ErrUnknownCommit) {
		err = v.update(ctx, apply) // reads first: an answer that is applied already is only returned
	}
	if err != nil {
		return nil, fmt.Errorf("apply %s: %w", f.t.ID, err)
	}
	if o.changed {
		v.report(ctx, from, done)
		v.Wake()
	}
	return done, nil
}

// loadSettlement reads the records into the result, where they change.
func (v *settler) loadSettlement(tx store.Tx, f *call, o *outcome, r *Result) (_ *Settlement, err error) {
	p, t := &r.Payment, &r.Transaction
	if *p, err = records.Payments.GetKept(tx, f.written, f.t.PaymentID); err != nil {
		return nil, err
	}
	stored := p.Transaction(f.t.ID)
	if stored == nil {
		return nil, store.ErrNotFound
	}
	*t = *stored
	moved := t.Version != f.t.Version
	return &Settlement{settler: v, Tx: tx, Merchant: f.merchant, Now: v.Now(), Payment: p, Transaction: t,
		asked: f.asked, absent: f.absent, moved: moved, oldDue: t.Due, o: o}, nil
}

// report logs a committed change and passes it to Changed. It contains no card data.
func (v *settler) report(ctx context.Context, from store.Status, r *Result) {
	t := &r.Transaction
	level := slog.LevelDebug
	if t.Review != "" {
		level = slog.LevelWarn
	}
	if v.Log.Enabled(ctx, level) {
		v.Log.Log(ctx, level, "transaction", "payment", t.PaymentID, "transaction", t.ID,
			"operation", t.Operation, "outcome", t.Outcome, "from", from, "to", r.Payment.Status, "review", t.Review)
	}
	v.Changed(from, r)
}
