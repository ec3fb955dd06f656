package methods

import "github.com/tollgatepay/gateway/store"

// What a payer sees and is asked. The store declares these records, because it keeps them with the transaction.
type (
	// Display is what the payer sees instead of being sent to another page.
	Display = store.Display
	// Detail is one line of shown payment details.
	Detail = store.Detail
	// Prompt is a field that the payer is asked to fill in.
	Prompt = store.Prompt
)
