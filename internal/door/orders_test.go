package door_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// An order number finds the payments of one merchant and one of their keys, newest first, even if others use the
// same number.
func TestOrdersOfOneMerchant(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	const otherKey, otherTest = "5b0f6d52-8c5e-4c7f-9b1f-1d2c3b4a5f60", "5b0f6d52-8c5e-4c7f-9b1f-1d2c3b4a5f61"
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: "m-other", Name: "Other Shop", Key: otherKey, TestKey: otherTest,
		Password:        store.NewSecret("another-password-0001"),
		NotificationURL: gatewaytest.CallbackURL,
	}))
	for _, mid := range []store.MID{
		{ID: "other-live", MerchantID: "m-other", Name: "Other", Connector: "vcard"},
		{ID: "other-test", MerchantID: "m-other", Name: "Other", Connector: "vcard", Test: true},
	} {
		require.NoError(t, kit.SaveMID(t.Context(), mid))
	}
	keys := []string{gatewaytest.MerchantKey, gatewaytest.TestKey, otherKey, otherTest}
	want := map[string][]string{}
	for range 3 {
		for _, key := range keys {
			kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow))
			r, err := kit.Merchant(key).Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
			require.NoError(t, err, key)
			want[key] = append([]string{r.Payment.ID}, want[key]...)
		}
	}
	for _, key := range keys {
		for size := 1; size <= 4; size++ {
			results, err := kit.Merchant(key).Status(t.Context(), gateway.Lookup{OrderNumber: "ORD-1", Size: size})
			require.NoError(t, err)
			var ids []string
			for _, r := range results {
				ids = append(ids, r.Payment.ID)
			}
			require.Equal(t, want[key][:min(size, 3)], ids)
		}
		for other, ids := range want {
			_, err := kit.Merchant(key).Status(t.Context(), gateway.Lookup{PaymentID: ids[0]})
			require.Equal(t, other == key, err == nil)
		}
	}
}
