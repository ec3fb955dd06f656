package door_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// FuzzLookup looks up payments with arbitrary keys, numbers and sizes. No key finds another merchant's payment, a
// live key finds none of test mode, and a lookup never returns more than it asked for.
func FuzzLookup(f *testing.F) {
	kit := gatewaytest.New(f)
	const stranger = "a-key-of-another-merchant"
	require.NoError(f, kit.SaveMerchant(f.Context(),
		store.Merchant{ID: "m-other", Name: "Other", Key: stranger, Password: store.NewSecret("the-other-password-0002")}))
	require.NoError(f, kit.SaveMID(f.Context(),
		store.MID{ID: "other", MerchantID: "m-other", Name: "Other", Connector: "vcard"}))
	keys := []string{gatewaytest.MerchantKey, stranger, gatewaytest.TestKey, "nobody", "", "m-other"}
	owner := map[string]string{} // of each payment: the key it was made with
	for i := range 9 {
		for _, key := range keys[:3] {
			r := gatewaytest.Request(fmt.Sprintf("ORD-%d", i%3), "10.00")
			kit.Pay(f, kit.As(key).SessionOf(f, r), gatewaytest.Settles)
			results, err := kit.Merchant(key).Status(f.Context(), gateway.Lookup{OrderNumber: r.Order.Number})
			require.NoError(f, err)
			owner[results[0].Payment.ID] = key
			kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
		}
	}
	require.Len(f, owner, 27)
	for i, key := range []int{0, 1, 2, 3} {
		f.Add(key, "", fmt.Sprintf("ORD-%d", i), i*40-1)
	}
	for id := range owner {
		f.Add(0, id, "", 0)
		f.Add(1, id, "ORD-0", 100)
	}
	f.Add(0, "ORD-0", "ord-0", 101)
	f.Add(5, "\x00", "../m-other/ORD-0", 3)
	f.Fuzz(func(t *testing.T, n int, id, order string, size int) {
		key := keys[uint(n)%uint(len(keys))]
		results, err := kit.Merchant(key).Status(t.Context(),
			gateway.Lookup{PaymentID: id, OrderNumber: order, Size: size})
		var refused *gateway.Error
		if err != nil {
			require.True(t, errors.As(err, &refused), "%v", err)
			require.Less(t, refused.Status(), 500)
			require.Empty(t, results)
			return
		}
		require.NotEmpty(t, results)
		require.LessOrEqual(t, len(results), max(size, 1))
		for _, result := range results {
			require.Equal(t, key, owner[result.Payment.ID])
		}
	})
}
