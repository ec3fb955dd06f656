package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/store"
)

// profileFor is the profile of a merchant who uses a protocol.
func (gw *Gateway) profileFor(ctx context.Context, id string, protocol store.Protocol) (*merchant.Profile, error) {
	p, err := gw.merchants.ByID(ctx, id)
	if err != nil {
		return nil, err
	}
	return p, p.Speaks(protocol)
}
