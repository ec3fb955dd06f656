package methods

import "github.com/tollgatepay/gateway/store"

// What a payer is shown and asked. The records are those of the store, which keeps them with the
// transaction.
type (
	Display = store.Display
	Detail  = store.Detail
	Prompt  = store.Prompt
)
