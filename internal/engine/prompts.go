package engine

import (
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// MaxAnswers is how often a payer may answer a connector's prompts. After that there are no more prompts, and
// the acquirer's answer ends the operation.
const MaxAnswers = 2

// prompts returns what to ask the payer now. Answered prompts are asked again if the outcome of the answer is
// unknown and the connector is idempotent by key. Nothing is asked that the connector could not use, or that it must
// not get because the outcome of the payer's return is unknown.
func (a *acquirers) prompts(t *records.Transaction) []store.Prompt {
	idempotent := a.idempotent(t)
	switch {
	case a.needsErased(t), t.Returning.Live(a.Now()), doubtful(t.Returning) && !idempotent:
		return nil
	case t.Outcome == store.Waiting && len(t.Prompts) == 0 && t.Answering.Lapsed(a.Now()) && idempotent:
		return t.PromptsAnswered
	}
	return t.Prompts
}
