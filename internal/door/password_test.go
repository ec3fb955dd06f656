package door_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// A password that the merchant had before is refused, by every instance and whatever the merchant's record looks
// like. The current password can be saved again, and another merchant may have it.
func TestFormerPassword(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	merchant := func(id, password string) store.Merchant {
		return store.Merchant{ID: id, Name: id, Key: "key-of-" + id, Password: store.NewSecret(password)}
	}
	const first, second, third = "password-of-the-shop-0001", "password-of-the-shop-0002", "password-of-the-shop-0003"
	save := func(password string) error { return kit.SaveMerchant(t.Context(), merchant("m-1", password)) }
	for _, password := range []string{first, first, second, second} {
		require.NoError(t, save(password))
	}
	requireFormer := func(err error) {
		t.Helper()
		require.ErrorContains(t, err, "password: this merchant had it before")
		require.NotContains(t, err.Error(), first)
	}
	requireFormer(save(first))
	requireFormer(kit.Twin(t).SaveMerchant(t.Context(), merchant("m-1", first)))
	require.NoError(t, kit.SaveMerchant(t.Context(), merchant("m-2", first)), "another merchant's")
	require.NoError(t, save(second), "a refused request changed nothing")
	require.NoError(t, save(third))
	for _, password := range []string{first, second} {
		requireFormer(save(password))
	}

	kerneltest.DamageRecord(t, kit, store.Key("m", "m-1"), func([]byte) []byte { return []byte("{") })
	requireFormer(save(first))
	require.NoError(t, save(third), "saving it mends it")
	kerneltest.LapAt(t, kit, kit.Clock.Now().AddDate(20, 0, 0))
	requireFormer(save(second))
	for _, key := range kerneltest.KeysUnder(t, kit.Store, "pw") {
		value := kerneltest.RawOf(t, kit, key)
		for _, password := range []string{first, second, third} {
			require.False(t, strings.Contains(key+string(value), password))
		}
	}
	require.Len(t, kerneltest.KeysUnder(t, kit.Store, "pw"), 2+3+1+2,
		"the kit's own merchant, three of this, one of the other")
}
