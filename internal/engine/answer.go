package engine

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// takePrompts marks the call that brings an answer. It counts the answer and removes the prompts from the
// transaction, so that they are answered once. It returns nil when another browser was first.
func (l *laterCall) takePrompts(ctx context.Context) (*callMark, error) {
	r, asked := l.returns, l.t
	made, err := r.marks.newMark(answering)
	if err != nil {
		return nil, err
	}
	l.deadline = r.Now().Add(r.timeout(asked.Connector))
	until := r.Now().Add(r.markLife(asked.Connector))
	var m *callMark
	take := func(tx store.Tx) error {
		m = nil
		p, t, err := records.FindTransaction(tx, asked.PaymentID, asked.ID)
		asks := r.prompts(&t)
		if err != nil || t.Outcome.Final() || len(asks) == 0 || t.AnswerCount != asked.AnswerCount ||
			!sameCall(t.Answering, asked.Answering) {
			return err
		}
		made.count = t.AnswerCount
		if len(t.Prompts) > 0 {
			t.AnswerCount++
		}
		t.Prompts, t.PromptsAnswered, t.SealedParameters = nil, asks, asked.SealedParameters
		if err := made.put(tx, &t, store.CallMark{Until: until}, r.Now()); err != nil {
			return err
		}
		m, l.t = made, &t
		return records.PutTransaction(tx, &p, &t)
	}
	return m, r.marks.create(ctx, asked, made, take)
}
