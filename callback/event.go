package callback

import "github.com/tollgatepay/gateway/store"

// Event is what a callback reports: all facts that a body is rendered from, in their state after the event was
// applied.
type Event struct {
	Type   string // of the row: sale, 3ds, refund, ...; recurring for later payments of a chain
	Status string // success, fail, waiting or undefined, of the row

	Payment     *store.Payment
	Transaction *store.Transaction
	Merchant    *store.Merchant // with its password
	Mapping     *store.Mapping
	MID         *store.MID

	Redirect *store.Redirect // where the payer has to go; nil except for 3ds and redirect
	Crypto   bool            // a method of crypto (S2S APM signs its SALE in another way)

	action, result string // of S2S
	custom         any    // custom_data, decoded
}
