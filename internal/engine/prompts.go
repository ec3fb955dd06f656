package engine

import (
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// MaxAnswers is how often a payer may answer what a connector asks; after that they are not asked again, and
// the operation ends as the acquirer says.
const MaxAnswers = 2

// prompts is what the payer is asked now. What they answered is asked once more where its outcome was never heard and
// the connector is idempotent by key; nothing is asked that the connector could do nothing with.
func (a *acquirers) prompts(t *store.Transaction) []store.Prompt {
	if a.needsGone(t) {
		return nil
	}
	if t.Outcome == store.Waiting && len(t.Prompts) == 0 && t.Answering.Lapsed(a.Now()) &&
		methods.CapabilitiesOf(a.Connectors[t.Connector]).IdempotentByKey {
		return t.PromptsAnswered
	}
	return t.Prompts
}
