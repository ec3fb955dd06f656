package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/refusal"
)

// Logged is AsError for protocols: a fault of our own is written to the log, where a merchant's is not.
func (gw *Gateway) Logged(ctx context.Context, err error) *refusal.Error {
	known := refusal.AsError(err)
	if known.Is(refusal.ErrInternal) && ctx.Err() == nil { // a caller who hung up is no fault of ours
		gw.cfg.Log.ErrorContext(ctx, "internal error", "error", err)
	}
	return known
}
