package callback

import "github.com/tollgatepay/gateway/store"

// Event is what a callback reports: the closed set of facts that bodies are rendered from, as they
// stand once the row of the state table is applied.
type Event struct {
	Type   string // sale, recurring, 3ds, refund, ... (the row's; recurring for later payments of a chain)
	Status string // success, fail, waiting or undefined (the row's)

	Payment     *store.Payment
	Transaction *store.Transaction
	Merchant    *store.Merchant // with its password
	Mapping     *store.Mapping
	MID         *store.MID

	Redirect *store.Redirect // where the payer has to go; nil but for 3ds and redirect
	Crypto   bool            // the method is one of crypto (S2S APM signs its SALE in another way)

	action, result string // of S2S
	custom         any    // custom_data, decoded
}
