package gateway

import (
	"github.com/tollgatepay/gateway/store"
)

// Result is a payment and the transaction that a call was about, as they stand after it. Next is where
// the payer has to go, when the answer was a redirect; it is told once and not stored.
type Result struct {
	Payment     store.Payment
	Transaction store.Transaction
	Redirect    *store.Redirect
}
