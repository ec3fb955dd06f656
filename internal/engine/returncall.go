package engine

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// callChoice is what to do with a payer's return.
type callChoice int

const (
	callNone  callChoice = iota // the call was made, or another browser makes it
	callLater                   // a call is under way with another return, which may be forged, or with an answer
	callConnector
	callFinder // the connector must not be called again: the acquirer is asked
)

// decide returns whether a return may call the connector. If an earlier call has no answer its outcome is
// unknown, and another call is made only if it has no second effect.
func (l *laterCall) decide(t *records.Transaction, evidence string) callChoice {
	m, answer, now := t.Returning, t.Answering, l.returns.Now()
	switch {
	case t.Outcome.Final(), !accepted(t):
		return callNone
	case m.Live(now) && m.Evidence == evidence:
		return callNone
	case m.Live(now), answer.Live(now):
		return callLater
	case l.mayComplete(t) && (l.idempotent() || !doubtful(answer) && !doubtful(m) && !wasSent(m, evidence)):
		return callConnector
	case l.finder != nil:
		return callFinder
	}
	return callNone
}

// takeReturn marks the call of a return; nil means that none is to be made. The issuer sends a return only
// once, so it waits while a call with another return is under way.
func (l *laterCall) takeReturn(ctx context.Context) (*callMark, error) {
	evidence := l.brought.evidence()
	kept := l.sealReturn()
	patience := time.NewTimer(l.returns.markLife(l.t.Connector))
	defer patience.Stop()
	for {
		choice, err := l.preview(ctx, evidence)
		if err != nil || choice == callNone {
			return nil, err
		}
		if choice != callLater {
			m, err := l.mark(ctx, evidence, kept)
			if m != nil || err != nil {
				return m, err
			}
		}
		if !waitedTurn(patience.C) {
			return nil, nil
		}
	}
}

// preview decides without writing.
func (l *laterCall) preview(ctx context.Context, evidence string) (choice callChoice, err error) {
	err = l.returns.Store.View(ctx, func(r store.Reader) error {
		_, t, err := records.FindTransaction(r, l.t.PaymentID, l.t.ID)
		choice = l.decide(&t, evidence)
		return err
	})
	return choice, err
}

// mark marks the call; nil means that another browser was first.
func (l *laterCall) mark(ctx context.Context, evidence string, kept []byte) (*callMark, error) {
	r := l.returns
	made, err := r.marks.newMark(returning)
	if err != nil {
		return nil, err
	}
	l.deadline = r.Now().Add(r.timeout(l.t.Connector))
	until := r.Now().Add(r.markLife(l.t.Connector))
	var m *callMark
	take := func(tx store.Tx) error {
		m = nil
		p, t, err := records.FindTransaction(tx, l.t.PaymentID, l.t.ID)
		if err != nil {
			return err
		}
		choice := l.decide(&t, evidence)
		if choice != callConnector && choice != callFinder {
			return nil
		}
		made.questions = choice == callFinder
		made.completes = made.questions && l.mayComplete(&t) && !wasSent(t.Returning, evidence)
		if err := made.put(tx, &t, store.CallMark{Until: until, Evidence: evidence, Kept: kept}, r.Now()); err != nil {
			return err
		}
		m, l.t = made, &t
		return records.PutTransaction(tx, &p, &t)
	}
	return m, r.marks.create(ctx, l.t, made, take)
}

// create stores a mark in a transaction of take. If it is not known whether the mark was stored, no call is made, and
// the mark is removed, so that it does not look as if one was.
func (k *marks) create(ctx context.Context, of *records.Transaction, m *callMark, take func(store.Tx) error) error {
	err := records.Create(ctx, k.Store, k.marked(of, m), take)
	if errors.Is(err, store.ErrUnknownCommit) {
		k.withdraw(ctx, of, m, methods.Answer{Result: methods.ResultNotSent})
	}
	return err
}

// errUnmarked means that the mark of a call is not in the store.
var errUnmarked = errors.New("gateway: the call is not marked")

// marked reads back whether a mark was stored.
func (k *marks) marked(of *records.Transaction, m *callMark) func(store.Reader) error {
	return func(r store.Reader) error {
		_, t, err := records.FindTransaction(r, of.PaymentID, of.ID)
		if err == nil && !m.holds(&t) {
			return errUnmarked
		}
		return err
	}
}

// turnPoll is how long a return waits before it checks again whether the earlier call has ended.
const turnPoll = 50 * time.Millisecond

// waitedTurn waits a moment, and returns false when the time is over.
func waitedTurn(over <-chan time.Time) bool {
	timer := time.NewTimer(turnPoll)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-over:
		return false
	}
}

// returnGrace is how long a payer whose return was interrupted has to come back by our page. Until then
// recovery leaves the payment to them, because only they can start the attempt at another MID.
const returnGrace = 10 * time.Minute

// leftToPayer returns how long recovery leaves a soft decline to the payer whose return was interrupted.
func (r *recovery) leftToPayer(profile Merchant, p *records.Payment, t *records.Transaction,
	answer methods.Answer) time.Duration {
	m := t.Returning
	soft := answer.Result == methods.ResultDeclined && answer.Soft
	if !soft || t.Outcome != store.Waiting || t.ID != p.ChargeID() || !profile.Mapping(p.Protocol).Cascade ||
		!m.Lapsed(r.Now()) || len(m.Kept) == 0 {
		return 0
	}
	return m.Until.Add(returnGrace).Sub(r.Now())
}
