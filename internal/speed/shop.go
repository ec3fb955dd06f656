// Package speed measures the gateway: exact gates on what a request allocates, writes and flushes, which its test
// holds, and ratios of speed against references (internal/speed/ratios).
package speed

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Open makes a gateway on a new store, with one merchant.
func Open(ctx context.Context, s store.Store, change ...func(*gateway.Config)) (*gateway.Gateway, error) {
	gw, err := Start(s, change...)
	if err != nil {
		return nil, err
	}
	return gw, AddMerchant(ctx, gw, gatewaytest.MerchantID, gatewaytest.MerchantKey)
}

// AddMerchant stores a merchant that takes cards.
func AddMerchant(ctx context.Context, gw *gateway.Gateway, id, key string) error {
	return errors.Join(
		gw.SaveMerchant(ctx, store.Merchant{ID: id, Name: "Shop", Key: key,
			Password: store.NewSecret(gatewaytest.Password), NotificationURL: gatewaytest.CallbackURL}),
		gw.SaveMID(ctx, store.MID{ID: id, MerchantID: id, Name: "Live", Connector: "vcard"}))
}

// Start makes a gateway on a store, with an acquirer that approves at once and a merchant's server that accepts every
// callback. It is the gateway as a host makes it: nothing checks or watches it.
func Start(s store.Store, change ...func(*gateway.Config)) (*gateway.Gateway, error) {
	cfg := gateway.Config{
		Store: s, Keys: gatewaytest.NewKeys(), PublicURL: gatewaytest.PublicURL, Notifier: accepting{},
		Connectors: map[string]methods.Connector{"vcard": kerneltest.InstantConnector{}},
	}
	for _, c := range change {
		c(&cfg)
	}
	return gateway.New(cfg)
}

// accepting is a merchant's server that accepts every callback and keeps none.
type accepting struct{}

// Deliver implements callback.Notifier.
func (accepting) Deliver(context.Context, callback.Delivery) callback.Receipt {
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}
