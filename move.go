package gateway

import (
	"github.com/tollgatepay/gateway/store"
)

// Money moves in three steps: one transaction stores the intent and reserves what it needs (begin), the
// connector is called with no transaction open (call), one transaction applies what came of it and
// queues the callback (apply). A crash between the steps leaves an intent that recovery resolves.

// Result is a payment and the transaction that a call was about, as they stand after it. Next is where
// the payer has to go, when the answer was a redirect; it is told once and not stored.
type Result struct {
	Payment     store.Payment
	Transaction store.Transaction
	Next        *store.Next
}
