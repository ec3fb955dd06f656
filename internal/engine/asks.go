package engine

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// MaxAnswers is how often a payer may answer what a connector asks; after that they are not asked again, and
// the operation ends as the acquirer says.
const MaxAnswers = 2

// Prompts is what the payer is asked now. What they answered is asked once more where its outcome was never heard and
// the connector is idempotent by key; nothing is asked that the connector could do nothing with.
func (e *Engine) Prompts(t *store.Transaction) []store.Ask {
	if e.needsGone(t) {
		return nil
	}
	if t.Outcome == store.Waiting && len(t.Asks) == 0 && t.Answering.Lapsed(e.Now()) &&
		methods.CapabilitiesOf(e.Connectors[t.Connector]).IdempotentByKey {
		return t.Answered
	}
	return t.Asks
}

// Answer hands what a payer filled in to the connector that asked for it. t is the transaction as it was when they
// were asked, with the parameters that stay. A second answer while the first is under way makes no call.
func (e *Engine) Answer(ctx context.Context, t *store.Transaction, back PayerReturn) error {
	l, err := e.laterCall(ctx, t, back)
	if err != nil || l == nil {
		return err
	}
	m, err := l.takePrompts(ctx)
	if err != nil || m == nil {
		return err
	}
	return l.call(ctx, m)
}

// takePrompts marks the call of an answer: it counts the answer and takes what is asked off the transaction, so that
// it is answered once. It answers nil when another browser was first.
func (l *laterCall) takePrompts(ctx context.Context) (*mark, error) {
	e, asked := l.e, l.t
	made, err := e.newMark(answering)
	if err != nil {
		return nil, err
	}
	l.deadline = e.Now().Add(e.Timeout(asked.Connector))
	until := e.Now().Add(e.markLife(asked.Connector))
	var m *mark
	take := func(tx store.Tx) error {
		m = nil
		t, err := records.Transactions.Get(tx, asked.ID)
		asks := e.Prompts(&t)
		if err != nil || t.Outcome.Final() || len(asks) == 0 || t.Answers != asked.Answers || !sameCall(t.Answering, asked.Answering) {
			return err
		}
		if len(t.Asks) > 0 {
			t.Answers++
		}
		t.Asks, t.Answered, t.SealedParameters = nil, asks, asked.SealedParameters
		if err := made.put(tx, &t, store.CallMark{Until: until}); err != nil {
			return err
		}
		m, l.t = made, &t
		return records.Transactions.Put(tx, t, t.ID)
	}
	err = records.Create(ctx, e.Store, e.marked(asked.ID, made), take)
	return m, err
}

// sameCall reports two marks of one call, or two times none.
func sameCall(a, b *store.CallMark) bool {
	return a == nil && b == nil || a != nil && b != nil && a.ID == b.ID
}
