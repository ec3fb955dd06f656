package engine

import (
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"slices"
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
	dueBy     time.Time       // when it is due because of this mark
	questions bool            // the acquirer is asked for the outcome of an earlier call
	completes bool            // the payer came back with something else, which is sent if the earlier call had no effect
	beside    bool            // the other kind of call was made in this step: with an answer, or with a return
	count     int             // of the payer's answers before this one
	stage     atomic.Int32    // of a question that completes
}

// The stages of a question after which what the payer brought may be sent. The question is open until it either sends
// or ends. It does one of the two, even if it is answered after its deadline.
const (
	stageAsks int32 = iota
	stageSends
	stageEnded
)

// sends reports whether what the payer brought may be sent after the question. From then on it counts as sent.
func (m *callMark) sends() bool { return m.completes && m.stage.CompareAndSwap(stageAsks, stageSends) }

// end ends a question: from then on nothing is sent after it, however late it is answered.
func (m *callMark) end() {
	if m != nil {
		m.stage.CompareAndSwap(stageAsks, stageEnded)
	}
}

// sentNothing reports whether the call was a question alone, after its end.
func (m *callMark) sentNothing() bool { return m.questions && m.stage.Load() != stageSends }

// second reports whether something else of the payer was sent in this step, or has no known outcome from before.
func (m *callMark) second() bool {
	return m.beside || m.was != nil && (m.was.Evidence != "" || len(m.was.Sent) > 0)
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

// doubtful reports whether the outcome of a call that has ended is unknown.
func doubtful(m *store.CallMark) bool { return m != nil && !m.Pending }

// sameCall reports whether two marks are of the same call, or both absent.
func sameCall(a, b *store.CallMark) bool {
	return a == nil && b == nil || a != nil && b != nil && a.ID == b.ID
}

// otherCall reports whether a mark is of another call than an earlier one. The next step may have removed the earlier.
func otherCall(was, is *store.CallMark) bool { return is != nil && !sameCall(was, is) }

// endedSince reports whether a call that was under way has ended.
func endedSince(was, is *store.CallMark) bool {
	return sameCall(was, is) && is != nil && is.Answered && !was.Answered
}

// maxSent is how many earlier returns of one payer a mark knows. After that many, a connector that would act twice gets
// no other.
const maxSent = 8

// wasSent reports whether what a payer brought was sent already, or may have been.
func wasSent(m *store.CallMark, evidence string) bool {
	return m != nil && (m.Evidence == evidence || slices.Contains(m.Sent, evidence) || len(m.Sent) >= maxSent)
}

// sentBefore returns the evidence of the calls up to a mark, without that of the next call, and no more than maxSent.
func sentBefore(was *store.CallMark, next string) (sent []string) {
	if was == nil {
		return nil
	}
	for _, one := range append(slices.Clip(was.Sent), was.Evidence) {
		if one != "" && one != next && !slices.Contains(sent, one) && len(sent) < maxSent {
			sent = append(sent, one)
		}
	}
	return sent
}

// stands reports whether a call is still to be made: its mark is in the store, and the transaction is open.
func (k *marks) stands(ctx context.Context, of *records.Transaction, m *callMark) (open bool) {
	err := k.Store.View(ctx, func(r store.Reader) error {
		_, t, err := records.FindTransaction(r, of.PaymentID, of.ID)
		open = !t.Outcome.Final() && m.holds(&t)
		return err
	})
	return err == nil && open
}

// put marks a transaction and makes it due for recovery when the mark lapses, at the latest. The caller
// stores the record.
func (m *callMark) put(tx store.Tx, t *records.Transaction, made store.CallMark, now time.Time) error {
	was := t.Due
	m.was, m.due = *m.at(t), was
	m.beside = m.answers(t) && t.Returning != nil || !m.answers(t) && t.Answering != nil
	made.ID, made.Sent = m.id, sentBefore(m.was, made.Evidence)
	*m.at(t) = &made
	if t.Due.IsZero() || t.Due.After(made.Until) {
		t.Due = made.Until
	}
	m.dueBy = t.Due
	return records.MoveDue(tx, t, was, now)
}

// holds reports whether a transaction still has this mark.
func (m *callMark) holds(t *records.Transaction) bool {
	now := *m.at(t)
	return now != nil && now.ID == m.id
}

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
	case m.sentNothing():
		*m.at(t) = afterQuestion(m.was, a, event)
	case a.Result == methods.ResultNotSent:
		*m.at(t) = m.was
	case event == state.Unknown, event == state.Waiting, event == state.Init:
		left.Pending = event != state.Unknown
		*m.at(t) = &left
	default:
		left.Pending = true
		*m.at(t) = inNextStep(&left)
	}
}

// afterQuestion returns the mark of an earlier call after a question alone.
func afterQuestion(was *store.CallMark, a methods.Answer, event state.Event) *store.CallMark {
	switch {
	case was == nil:
		return nil
	case leadsOn(a, event):
		return inNextStep(was)
	}
	left := *was // its outcome is as unknown as it was
	left.Kept = nil
	return &left
}

// leadsOn reports whether an answer is a next step for the payer. A payment in a cryptocurrency that is pending is
// where it was.
func leadsOn(a methods.Answer, event state.Event) bool {
	return event == state.Redirect || event == state.ThreeDS ||
		event == state.Init && a.Result != methods.ResultPending
}

// inNextStep returns what is left of a mark in the payer's next step, where other returns are new: what was sent and
// has no known outcome is not sent in that step either. A return with a known outcome may come again, since the return
// of the next step may look like it.
func inNextStep(m *store.CallMark) *store.CallMark {
	if m == nil {
		return nil
	}
	sent := m.Sent
	if !m.Pending {
		sent = sentBefore(m, "")
	}
	if len(sent) == 0 {
		return nil
	}
	return &store.CallMark{ID: m.ID, Sent: sent, Pending: true, Answered: true}
}

// newStage begins a payer's next step, or the same again. It lets go of the marks of earlier prompts and returns, but
// not of a call that is under way.
func newStage(t *records.Transaction, again bool, now time.Time) {
	if !again {
		t.Stage++
	}
	for _, at := range []**store.CallMark{&t.Returning, &t.Answering} {
		if !(*at).Live(now) {
			*at = inNextStep(*at)
		}
	}
}

// withdraw removes the mark of a call that came to nothing: what the payer has to bring is still to come. Recovery gets
// the date back that it had, unless the transaction got another one during the call.
func (k *marks) withdraw(ctx context.Context, of *records.Transaction, m *callMark, a methods.Answer) {
	k.unmark(ctx, of, m, func(tx store.Tx, t *records.Transaction) error {
		m.undo(t, a)
		was := t.Due
		if was.Equal(m.dueBy) {
			t.Due = m.due
		}
		return records.MoveDue(tx, t, was, k.now())
	})
}

// lapse ends the mark of a call whose answer could not be stored, as if its process had died. After a question alone
// the mark of the earlier call stands again.
func (k *marks) lapse(ctx context.Context, of *records.Transaction, m *callMark) {
	k.unmark(ctx, of, m, func(_ store.Tx, t *records.Transaction) error {
		if m.sentNothing() {
			*m.at(t) = m.was
			return nil
		}
		left := **m.at(t)
		left.Until = k.now()
		*m.at(t) = &left
		return nil
	})
}

// giveBack removes the mark of a call that came to nothing after its deadline: its outcome was stored as unknown, so
// recovery keeps its date.
func (k *marks) giveBack(ctx context.Context, of *records.Transaction, m *callMark, a methods.Answer) {
	k.unmark(ctx, of, m, func(_ store.Tx, t *records.Transaction) error {
		m.undo(t, a)
		return nil
	})
}

// answers reports whether the call is for the payer's answer to prompts.
func (m *callMark) answers(t *records.Transaction) bool { return m != nil && m.at(t) == &t.Answering }

// undo makes a transaction as if the call had not been: prompts are asked again. Only an answer that reached the
// acquirer counts.
func (m *callMark) undo(t *records.Transaction, a methods.Answer) {
	*m.at(t) = m.was
	if !m.answers(t) {
		return
	}
	if a.Result == methods.ResultNotSent {
		t.AnswerCount = m.count
	}
	if t.AnswerCount < MaxAnswers {
		t.Prompts = t.PromptsAnswered
	}
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
