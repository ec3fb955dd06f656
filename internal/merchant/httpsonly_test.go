package merchant_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Every URL of a merchant's own records must be https if the merchant accepts no others, whichever record is saved
// last.
func TestHTTPSOnlyOfRecords(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	const url = "http://shop.example"
	for name, change := range map[string]func(*store.Merchant){
		"notification_url":      func(m *store.Merchant) { m.NotificationURL = url },
		"test_notification_url": func(m *store.Merchant) { m.TestNotificationURL = url },
		"origins":               func(m *store.Merchant) { m.Origins = []string{"https://shop.example", url} },
	} {
		require.ErrorContains(t, kit.SaveMerchant(t.Context(), kerneltest.HTTPSOnly(change)),
			name+`: "http://shop.example" must be https`)
		open := kerneltest.HTTPSOnly(change)
		open.HTTPSOnly = false
		require.NoError(t, kit.SaveMerchant(t.Context(), open), name)
	}
	terms := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, TermsURL: url}
	require.NoError(t, kit.SaveMapping(t.Context(), terms))
	require.ErrorContains(t, kit.SaveMerchant(t.Context(), kerneltest.HTTPSOnly(nil)), "terms_url")
	terms.TermsURL = "https://shop.example/terms"
	require.NoError(t, kit.SaveMapping(t.Context(), terms))
	require.NoError(t, kit.SaveMerchant(t.Context(), kerneltest.HTTPSOnly(nil)))
	terms.TermsURL = url
	require.ErrorContains(t, kit.SaveMapping(t.Context(), terms), "terms_url")
}

// The same for the URLs of a Go caller.
func TestHTTPSOnlyOfGoCallers(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMerchant(t.Context(), kerneltest.HTTPSOnly(nil)))
	first := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
		r.RecurringInit, r.ReturnURL, r.CallbackURL = true, "https://shop.example/return", "https://shop.example/callback"
	})
	for name, change := range map[string]func(*gateway.ChargeRequest){
		"return_url":   func(r *gateway.ChargeRequest) { r.ReturnURL = "http://shop.example/return" },
		"callback_url": func(r *gateway.ChargeRequest) { r.CallbackURL = "http://shop.example/callback" },
	} {
		_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-2", gatewaytest.Settles, change))
		require.Equal(t, []gateway.Fault{{Path: name, Text: "This value is not a valid URL."}}, gateway.AsError(err).Faults())
	}
	_, err := kit.Shop().Recur(t.Context(), gateway.RecurRequest{InitID: first.ID,
		Token: first.RecurringToken,
		Order: store.Order{Number: "ORD-3", Amount: "5.00",
			Description: "Second month"}, CallbackURL: "http://shop.example/callback"})
	require.Equal(t, []gateway.Fault{{Path: "callback_url", Text: "This value is not a valid URL."}},
		gateway.AsError(err).Faults())
}
