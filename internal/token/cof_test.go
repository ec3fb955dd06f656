package token_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// SPEC1, version history 6.7.0: initiator, source and sequence of a stored card, if the mapping asks for them.
func TestCardOnFile(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{
		MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, Add: store.Additions{COF: true}}))
	first := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles,
		func(r *gateway.ChargeRequest) { r.RecurringInit = true })
	_, err := kit.Shop().Recur(t.Context(), gateway.RecurRequest{InitID: first.ID,
		Token: first.RecurringToken,
		Order: store.Order{Number: "ORD-2", Amount: "5.00", Description: "Later"}})
	require.NoError(t, err)
	saved := kerneltest.Pay(t, kit, "ORD-3", gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.ReqToken = true })
	kerneltest.Pay(t, kit, "ORD-4", gatewaytest.Settles,
		func(r *gateway.ChargeRequest) { r.Card, r.CardToken = nil, saved.CardToken })
	kerneltest.Pay(t, kit, "ORD-5", gatewaytest.Settles)
	kit.Work(t)
	want := map[string][3]string{
		"ORD-1": {"cardholder", "recurring", "first"}, "ORD-2": {"merchant", "recurring", "subsequent"},
		"ORD-3": {"cardholder", "unscheduled", "first"}, "ORD-4": {"cardholder", "unscheduled", "subsequent"}, "ORD-5": {},
	}
	told := map[string][3]string{}
	for _, form := range kit.Inbox.Fields(t) {
		told[form.Get("order_number")] = [3]string{form.Get("initiator"), form.Get("source"), form.Get("sequence")}
	}
	require.Equal(t, want, told)
}
