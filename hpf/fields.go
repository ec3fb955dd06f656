package hpf

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/hpf/sdk"
	"github.com/tollgatepay/gateway/methods"
)

// fields implements the interface that package sdk needs, on the gateway. An unknown token becomes an unknown
// session there. An internal error goes to the gateway's log, as with every other request.
type fields struct{ gw *gateway.Gateway }

var _ sdk.Gateway = fields{}

// Origins implements sdk.Gateway.
func (f fields) Origins(ctx context.Context, session string) ([]string, error) {
	origins, err := f.gw.HostedFields().Origins(ctx, session)
	return origins, f.sessionError(ctx, err)
}

// CodeOptional implements sdk.Gateway.
func (f fields) CodeOptional(ctx context.Context, session string) (bool, error) {
	need, err := f.gw.HostedFields().Code(ctx, session)
	return need == gateway.CodeOptional, f.sessionError(ctx, err)
}

// Collect implements sdk.Gateway.
func (f fields) Collect(ctx context.Context, token string, card sdk.Card) error {
	return f.sessionError(ctx, f.gw.HostedFields().Collect(ctx, token,
		methods.Card{PAN: card.Number, Expiry: card.Expiry, Code: card.Code}))
}

func (f fields) sessionError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, gateway.ErrToken):
		return gateway.ErrNoSession
	}
	return f.gw.Logged(ctx, err)
}
