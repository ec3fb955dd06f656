package engine

import (
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway/internal/ids"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// callMark marks one call as under way or made.
type callMark struct {
	at        func(*records.Transaction) **store.CallMark // its field in the transaction
	id        string
	was       *store.CallMark // the mark before this one
	due       time.Time       // when recovery would have been due
	questions bool            // the acquirer is asked for the outcome of an earlier call
	completes bool            // the payer came back with something else, which is sent if the earlier call had no effect
	onlyAsked atomic.Bool     // the question was answered, and nothing was sent after it
}

func returning(t *records.Transaction) **store.CallMark { return &t.Returning }

func answering(t *records.Transaction) **store.CallMark { return &t.Answering }

// marks stores and removes the marks of calls.
type marks struct {
	*ledger
	now    func() time.Time
	random io.Reader
	log    *slog.Logger
}

// newMark returns a mark with a random id.
func (k *marks) newMark(at func(*records.Transaction) **store.CallMark) (*callMark, error) {
	id, err := ids.Random(k.random, 16, "the mark of a call")
	if err != nil {
		return nil, err
	}
	return &callMark{at: at, id: hex.EncodeToString(id)}, nil
}

// put marks a transaction and makes it due for recovery when the mark lapses, at the latest. The caller
// stores the record.
func (m *callMark) put(tx store.Tx, t *records.Transaction, made store.CallMark, now time.Time) error {
	was := t.Due
	m.was, m.due = *m.at(t), was
	made.ID = m.id
	*m.at(t) = &made
	if t.Due.IsZero() || t.Due.After(made.Until) {
		t.Due = made.Until
	}
	return records.MoveDue(tx, t, was, now)
}

// holds reports whether a transaction still has this mark.
func (m *callMark) holds(t *records.Transaction) bool {
	now := *m.at(t)
	return now != nil && now.ID == m.id
}

// sentNothing reports whether the call was a question alone.
func (m *callMark) sentNothing() bool { return m.questions && (!m.completes || m.onlyAsked.Load()) }

// ended updates the mark for the answer of its call. The mark is removed if the call led to a next step or
// had no effect; otherwise it records that the connector was called. A question alone sends nothing, so the mark of
// the earlier call stands again: its outcome is as unknown as it was.
func (m *callMark) ended(t *records.Transaction, a methods.Answer, event state.Event) {
	if m == nil || !m.holds(t) {
		return
	}
	left := *(*m.at(t))
	left.Until, left.Kept, left.Answered = time.Time{}, nil, true
	switch {
	case m.sentNothing() && m.was == nil:
		*m.at(t) = nil
	case m.sentNothing():
		left = *m.was
		left.Kept = nil
		*m.at(t) = &left
	case a.Result == methods.ResultNotSent:
		*m.at(t) = m.was
	case event == state.Unknown, event == state.Waiting, event == state.Init:
		left.Pending = event != state.Unknown
		*m.at(t) = &left
	default:
		*m.at(t) = nil
	}
}

// newStage removes the marks of earlier prompts and returns, but not of a call that is under way.
func newStage(t *records.Transaction, now time.Time) {
	for _, at := range []**store.CallMark{&t.Returning, &t.Answering} {
		if !(*at).Live(now) {
			*at = nil
		}
	}
}

// withdraw removes the mark of a call that proved nothing: the payer's real return is still to come.
func (k *marks) withdraw(ctx context.Context, of *records.Transaction, m *callMark) {
	k.unmark(ctx, of, m, func(tx store.Tx, t *records.Transaction) error {
		*m.at(t) = m.was
		if m.at(t) == &t.Answering && t.AnswerCount < MaxAnswers {
			t.Prompts = t.PromptsAnswered
		}
		was := t.Due
		t.Due = m.due
		return records.MoveDue(tx, t, was, k.now())
	})
}

// lapse ends the mark of a call whose answer could not be stored, as if its process had died. After a question alone
// the mark of the earlier call stands again.
func (k *marks) lapse(ctx context.Context, of *records.Transaction, m *callMark) {
	k.unmark(ctx, of, m, func(_ store.Tx, t *records.Transaction) error {
		if m.sentNothing() && m.was != nil {
			*m.at(t) = m.was
			return nil
		}
		left := **m.at(t)
		left.Until = k.now()
		*m.at(t) = &left
		return nil
	})
}

// unmark changes a transaction that still has the mark. If the store fails, the mark lapses by itself.
func (k *marks) unmark(ctx context.Context, of *records.Transaction, m *callMark,
	how func(store.Tx, *records.Transaction) error) {
	if m == nil {
		return
	}
	err := k.update(context.WithoutCancel(ctx), func(tx store.Tx) error {
		p, t, err := records.FindTransaction(tx, of.PaymentID, of.ID)
		if err != nil || !m.holds(&t) || t.Outcome.Final() {
			return err
		}
		if err := how(tx, &t); err != nil {
			return err
		}
		return records.PutTransaction(tx, &p, &t)
	})
	if err != nil {
		k.log.Warn("the mark of a call stays until it lapses", "transaction", of.ID, "error", err)
	}
}

// interrupted reports whether a payer's return or answer was sent to the connector and its outcome is unknown.
func interrupted(t *records.Transaction, now time.Time) bool {
	return t.Outcome == store.Waiting && (t.Returning.Lapsed(now) || t.Answering.Lapsed(now))
}
