package merchant_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// forgetful is a store that remembers one key as it was, and all others as they are.
type forgetful struct {
	store.Store
	key string
	was []byte
}

type presuming struct{}

// Presume implements store.Presumer.
func (f *forgetful) Presume(ctx context.Context, fn func(context.Context) error) error {
	var torn bool
	err := fn(context.WithValue(ctx, presuming{}, &torn))
	if !torn {
		return err
	}
	return fn(ctx)
}

// Confirm implements store.Presumer.
func (f *forgetful) Confirm(ctx context.Context) error {
	if torn, ok := ctx.Value(presuming{}).(*bool); ok && *torn {
		return store.ErrPresumed
	}
	return nil
}

// View implements store.Store.
func (f *forgetful) View(ctx context.Context, fn func(store.Reader) error) error {
	torn, ok := ctx.Value(presuming{}).(*bool)
	if !ok || f.was == nil {
		return f.Store.View(ctx, fn)
	}
	return f.Store.View(ctx, func(r store.Reader) error { return fn(forgetfulReader{r, f, torn}) })
}

// Update implements store.Store.
func (f *forgetful) Update(ctx context.Context, fn func(store.Tx) error) error {
	if err := f.Confirm(ctx); err != nil {
		return err
	}
	return f.Store.Update(ctx, fn)
}

type forgetfulReader struct {
	store.Reader
	*forgetful
	torn *bool
}

// Get implements store.Reader.
func (r forgetfulReader) Get(key []byte) ([]byte, error) {
	if string(key) == r.key {
		*r.torn = true
		return r.was, nil
	}
	return r.Reader.Get(key)
}

// A request may read a part of a merchant's configuration from the memory of a store, as it was before the newest
// revision. The merchant that is made of both is not kept for later requests, and is not reported.
func TestPresumedConfigurationIsNotKept(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(t *testing.T, value []byte) []byte{
		"as it was":           func(_ *testing.T, value []byte) []byte { return value },
		"that cannot be read": func(*testing.T, []byte) []byte { return []byte("{") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var l kerneltest.AsideListener
			f := &forgetful{Store: memory.New(), key: string(store.Key("mp", gatewaytest.MerchantID, "s2s_card"))}
			kit := gatewaytest.On(t, f, l.Option, func(c *gateway.Config) { c.Store = f })
			set := func(off bool) {
				require.NoError(t, kit.SaveMapping(t.Context(),
					store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.S2SCard, Disabled: off}))
			}
			set(false)
			var was []byte
			require.NoError(t, f.View(t.Context(), func(r store.Reader) (err error) {
				was, err = r.Get([]byte(f.key))
				return err
			}))
			set(true)
			f.was = damage(t, was)
			for _, forgets := range []bool{true, false} {
				if !forgets {
					f.was = nil
				}
				_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.ViaCard))
				require.True(t, errors.Is(err, gateway.ErrNoMID), "%v", err)
			}
			require.Empty(t, l.Heard)
		})
	}
}
