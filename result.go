package gateway

import (
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// Result is a payment and the transaction of a call, as stored afterwards. Redirect is where the payer has to go, if
// the answer was a redirect. It is returned once and not stored.
type Result struct {
	Payment     store.Payment
	Transaction store.Transaction
	Redirect    *store.Redirect
}

// shown returns what callers get of a result. There is none with an error.
func shown(r *engine.Result) *Result {
	if r == nil {
		return nil
	}
	own := &Result{r.Payment.Payment, r.Transaction.Transaction, r.Redirect}
	records.Detach(&own.Payment, &own.Transaction)
	return own
}
