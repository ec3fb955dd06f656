package methods

import "github.com/tollgatepay/gateway/store"

// What a payer sees and is asked. The store declares these records, because it keeps them with the transaction.
type (
	Display = store.Display
	Detail  = store.Detail
	Prompt  = store.Prompt
)
