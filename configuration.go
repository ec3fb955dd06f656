package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/store"
)

// SaveMerchant stores a merchant, new or changed, while the gateway runs. Every fault is named. The
// merchant's keys must be free or its own, and its password none that it had before.
func (gw *Gateway) SaveMerchant(ctx context.Context, m store.Merchant) error {
	return gw.merchants.SaveMerchant(ctx, m)
}

// SaveMapping stores the Protocol Mapping of a merchant for one protocol.
func (gw *Gateway) SaveMapping(ctx context.Context, m store.Mapping) error {
	return gw.merchants.SaveMapping(ctx, m)
}

// SaveMID stores a MID of a merchant. Every fault is named.
func (gw *Gateway) SaveMID(ctx context.Context, mid store.MID) error {
	return gw.merchants.SaveMID(ctx, mid)
}

// SaveWallets stores a merchant's wallet settings in place of those before. Every fault is named, and no
// fault repeats a key.
func (gw *Gateway) SaveWallets(ctx context.Context, w store.Wallets) error {
	return gw.merchants.SaveWallets(ctx, w)
}
