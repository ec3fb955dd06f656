package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// settler applies answers to the records.
type settler struct {
	*ledger
	*acquirers
	Log          *slog.Logger
	Currencies   *methods.Currencies
	Consequences []Consequence
	Sends        func(s *Settlement, body string) error
	Wake         func(store.Work)
	Queued       func(p *store.Payment, callback int)
}

// applyOutcome is step three: it records the outcome of an answer, moves the payment along the state table,
// and queues the callback, in one transaction. It may run more than once and in several instances for one
// transaction. The first final outcome wins; all other calls return what is stored. If a later final outcome
// contradicts it, the transaction is marked for review.
func (v *settler) applyOutcome(ctx context.Context, f *call, o *outcome) (*Result, error) {
	done := &o.result
	var was before
	apply := func(tx store.Tx) error {
		s, err := v.loadSettlement(tx, f, o, done)
		if err != nil {
			return err
		}
		was = before{s.Payment.Status, s.Transaction.Outcome, s.Transaction.Review}
		o.cascaded, o.led, o.queued = false, false, 0
		o.changed, err = s.take(o.answer)
		return err
	}
	err := v.update(ctx, apply)
	if errors.Is(err, store.ErrUnknownCommit) {
		err = v.update(ctx, apply) // reads first: an end that is applied already is only returned
	}
	if err != nil {
		return nil, fmt.Errorf("apply %s: %w", f.t.ID, err)
	}
	if o.changed {
		v.report(ctx, was, done)
		v.wake(done, o.queued)
	}
	return done, nil
}

// wake wakes the workers of what an outcome may have queued.
func (v *settler) wake(done *Result, callback int) {
	if callback > 0 {
		v.Queued(&done.Payment.Payment, callback)
	}
	if !done.Transaction.Outcome.Final() {
		v.Wake(store.WorkRecovery)
	}
	if done.Payment.RecurringToken != "" {
		v.Wake(store.WorkSchedule)
	}
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
		asked: f.asked, absent: f.absent, moved: moved, overtaken: moved && f.overtaken(t, o.answer),
		crossed: f.mark != nil && f.crossed(t) && !v.idempotent(t), oldDue: t.Due, o: o}, nil
}

// before is what a transaction was before an answer.
type before struct {
	status  store.Status
	outcome store.Outcome
	review  string
}

// report tells a committed change.
func (v *settler) report(ctx context.Context, was before, r *Result) {
	p, t, at := &r.Payment, &r.Transaction, v.Now()
	if t.Review != "" && t.Review != was.review {
		v.Watch.Tell(ctx, observe.ReviewNeeded{Subject: about(p, t), Outcome: t.Outcome, Why: t.Review, At: at})
	}
	paid, scheduled := r.scheduled(was)
	if scheduled && !paid {
		v.Watch.Tell(ctx, observe.ScheduleFailed{Scheduled: slot(r, at), Reason: t.Reason})
	}
	if !v.Watch.Listens(ctx) {
		return
	}
	v.Watch.Tell(ctx, observe.PaymentMoved{Subject: about(p, t), From: was.status, To: p.Status,
		Outcome: t.Outcome, Reason: t.Reason, Soft: t.Soft, At: at})
	doubted, doubts := was.outcome == store.InDoubt, t.Outcome == store.InDoubt
	switch {
	case doubts && !doubted:
		v.Watch.Tell(ctx, observe.DoubtOpened{Subject: about(p, t), At: at})
	case doubted && !doubts:
		v.Watch.Tell(ctx, observe.DoubtResolved{Subject: about(p, t), Outcome: t.Outcome,
			ByHand: t.Decision != nil, Age: at.Sub(t.CreatedAt), At: at})
	}
	if scheduled && paid {
		v.Watch.Tell(ctx, observe.SchedulePaid{Scheduled: slot(r, at)})
	}
}

// scheduled reports whether a change ended the charge of a scheduled payment, and whether it was paid.
func (r *Result) scheduled(was before) (paid, scheduled bool) {
	t := &r.Transaction
	return t.Outcome == store.Success,
		r.Payment.Occurrence > 0 && t.ID == r.Payment.ChargeID() && t.Outcome.Final() && !was.outcome.Final()
}

func slot(r *Result, at time.Time) observe.Scheduled {
	return observe.Scheduled{Subject: about(&r.Payment, &r.Transaction), ScheduleID: r.Payment.ScheduleID,
		Occurrence: r.Payment.Occurrence, At: at}
}
