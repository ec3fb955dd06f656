package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/charge"
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

// charged charges a draft, and ends it.
func charged(ctx context.Context, flow *charge.Flow, c *charge.Draft) (*Result, error) {
	result, err := flow.Charge(ctx, c)
	if err == nil {
		defer c.Release(result)
	}
	return shown(result), err
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
