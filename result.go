package gateway

import (
	"github.com/tollgatepay/gateway/store"
)

// Result is a payment and the transaction of a call, as stored afterwards. Redirect is where the payer has to go, if
// the answer was a redirect. It is returned once and not stored. What store says is for the gateway alone is empty,
// here and in everything else that callers get.
type Result struct {
	Payment     store.Payment
	Transaction store.Transaction
	Redirect    *store.Redirect
}
