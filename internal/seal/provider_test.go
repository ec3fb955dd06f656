package seal_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store/keys"
)

// lending is a provider that gives back a part of what it was given, and not a copy.
type lending struct{ keys.Provider }

func (lending) Wrap(_ context.Context, dataKey []byte) (keys.Wrapped, error) {
	return keys.Wrapped{KeyID: "1", Bytes: append([]byte("wrapped "), dataKey...)}, nil
}

func (lending) Unwrap(_ context.Context, w keys.Wrapped) ([]byte, error) {
	return w.Bytes[len("wrapped "):], nil
}

// A data key is wiped once it was used. What is stored of it stays, also with a provider that lends it: the card of a
// chain is charged on each of its dates, by instances that unwrap it anew.
func TestProviderThatLends(t *testing.T) {
	t.Parallel()
	lend := func(c *gateway.Config) { c.Keys = lending{c.Keys} }
	kit := gatewaytest.New(t, lend)
	kit.Clock.Set(kit.Clock.Now().Add(2 * vault.MaxAge)) // the card is sealed under another key than the merchant
	kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3))
	for range 3 {
		kit.Clock.Set(kit.Clock.Now().Add(7*24*time.Hour + vault.MaxAge))
		kit.Twin(t, lend).Work(t)
	}
	require.Len(t, kerneltest.PaidOn(t, kit), 3)
}
