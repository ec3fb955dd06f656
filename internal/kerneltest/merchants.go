package kerneltest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The other merchant.
const (
	OtherID  = "m-other"
	OtherKey = "90f6a2a0-5b56-4b0a-9f3e-6f7d1d2c3b4a"
)

// SaveOtherMerchant saves another merchant beside the first, with a MID.
func SaveOtherMerchant(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: OtherID, Name: "Another Shop", Key: OtherKey, Password: store.NewSecret("another-password-0001"),
		NotificationURL: "https://other.example/callback",
	}))
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "other-live", MerchantID: OtherID, Connector: "vcard"}))
}

// ChangeLiveMID changes the live MID.
func ChangeLiveMID(t testing.TB, kit *gatewaytest.Kit, change func(*store.MID)) {
	t.Helper()
	mid := store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}
	change(&mid)
	require.NoError(t, kit.SaveMID(t.Context(), mid))
}

// ChecksAddress makes a MID check the address of the payer.
func ChecksAddress(m *store.MID) { m.AVS = true }

// AddMIDs adds MIDs after "live", in this order.
func AddMIDs(t testing.TB, kit *gatewaytest.Kit, ids ...string) {
	t.Helper()
	for i, id := range ids {
		require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: id, MerchantID: gatewaytest.MerchantID, Connector: "vcard",
			Priority: i + 1}))
	}
}

// SwitchCascading switches cascades on for a protocol.
func SwitchCascading(t testing.TB, kit *gatewaytest.Kit, protocol store.Protocol, change ...func(*store.Mapping)) {
	t.Helper()
	m := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: protocol, Cascade: true}
	for _, c := range change {
		c(&m)
	}
	require.NoError(t, kit.SaveMapping(t.Context(), m))
}

// HTTPSOnly is the merchant of the kit with https_only and one change.
func HTTPSOnly(change func(*store.Merchant)) store.Merchant {
	m := store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), NotificationURL: gatewaytest.CallbackURL, HTTPSOnly: true,
	}
	if change != nil {
		change(&m)
	}
	return m
}

// SwitchOffs are the ways to switch Checkout off for a merchant.
var SwitchOffs = map[string]func(testing.TB, *gatewaytest.Kit){
	"Checkout": func(t testing.TB, kit *gatewaytest.Kit) {
		require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID,
			Protocol: store.Checkout, Disabled: true}))
	},
	"the merchant": func(t testing.TB, kit *gatewaytest.Kit) {
		require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{ID: gatewaytest.MerchantID,
			Key:      gatewaytest.MerchantKey,
			Password: store.NewSecret(gatewaytest.Password), Disabled: true}))
	},
}

// FaultPaths are the paths of the faults of an error.
func FaultPaths(err error) (list []string) {
	for _, fault := range gateway.AsError(err).Faults() {
		list = append(list, fault.Path)
	}
	return list
}

// Tether is the option of a crypto currency.
func Tether(c *gateway.Config) { c.Crypto = []methods.Currency{{Code: "USDT", Exponent: 6}} }

// The callback URLs, live and test.
const (
	LiveURL = "https://shop.example/live"
	TestURL = "https://shop.example/test"
)

// MerchantNotifiedAt is the merchant of the kit with these callback URLs.
func MerchantNotifiedAt(live, test string) store.Merchant {
	return store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), NotificationURL: live, TestNotificationURL: test,
	}
}
