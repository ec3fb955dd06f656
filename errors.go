package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// routing is what the wire says when no MID can take a payment.
var routing = map[route.Refusal]*refusal.Error{
	route.NoMID:          refusal.ErrNoMID,
	route.UseTestKey:     refusal.ErrUseTestKey,
	route.NoChannel:      refusal.ErrChannelRoute,
	route.MethodNotFound: refusal.ErrMethodAbsent,
	route.NoMethod:       refusal.ErrMethodRoute,
	route.ActionNotFound: refusal.ErrActionAbsent,
	route.NoAction:       refusal.ErrAction,
	route.NoCurrency:     refusal.ErrCurrencyRoute,
	route.BrandNotFound:  refusal.ErrBrandAbsent,
	route.NoBrand:        refusal.ErrBrandRoute,
	route.TypeNotFound:   refusal.ErrTypeAbsent,
	route.NoType:         refusal.ErrTypeRoute,
	route.NoMOTO:         refusal.ErrMOTORoute,
	route.NoZeroValue:    refusal.ErrZeroRoute,
}

// routeError is the catalogue error of a refusal. S2S APM calls a method a brand.
func routeError(p store.Protocol, why route.Refusal) error {
	switch {
	case p == store.S2SAPM && why == route.NoMethod:
		return refusal.ErrBrandRoute
	case p == store.S2SAPM && why == route.MethodNotFound:
		return refusal.ErrBrandAbsent
	}
	if err, ok := routing[why]; ok {
		return err
	}
	return refusal.ErrNoMID
}

// Logged is AsError for protocols: a fault of our own is written to the log, where a merchant's is not.
func (gw *Gateway) Logged(ctx context.Context, err error) *refusal.Error {
	known := refusal.AsError(err)
	if known.Is(refusal.ErrInternal) && ctx.Err() == nil { // a caller who hung up is no fault of ours
		gw.cfg.Log.ErrorContext(ctx, "internal error", "error", err)
	}
	return known
}
