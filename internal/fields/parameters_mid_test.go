package fields_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Every MID gets the parameters completed by its own settings, and none that lacks what it needs.
func TestParametersAreEachMIDsOwn(t *testing.T) {
	t.Parallel()
	settings := func(account, needed string) map[string]string {
		return map[string]string{methods.OptionFeeBearer: account, "needed_parameters": needed}
	}
	for _, c := range []struct {
		name      string
		soft      map[string]bool
		day       string // limit of the first
		mids      []map[string]string
		at        []string // the MIDs that are asked
		feeBearer []string // and what they are told
	}{
		{name: "the first", mids: []map[string]string{settings("merchant", ""), settings("customer", "")},
			at: []string{"mid-0"}, feeBearer: []string{"merchant"}},
		{name: "its limit is reached", day: "1.00", mids: []map[string]string{settings("merchant", ""), settings("customer", "")},
			at: []string{"mid-1"}, feeBearer: []string{"customer"}},
		{name: "a cascade", soft: map[string]bool{"mid-0": true}, mids: []map[string]string{settings("merchant", ""), settings("customer", "")},
			at: []string{"mid-0", "mid-1"}, feeBearer: []string{"merchant", "customer"}},
		{name: "one that needs what was not sent", mids: []map[string]string{settings("merchant", "note"), settings("customer", "")},
			at: []string{"mid-1"}, feeBearer: []string{"customer"}},
		{name: "a cascade past it", soft: map[string]bool{"mid-0": true}, mids: []map[string]string{
			settings("merchant", ""), settings("merchant", "note"), settings("customer", "")},
			at: []string{"mid-0", "mid-2"}, feeBearer: []string{"merchant", "customer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var heard []methods.Operation
			kit := gatewaytest.New(t, func(cfg *gateway.Config) {
				cfg.Connectors["ear"] = kerneltest.Listener{Soft: c.soft, Heard: &heard}
				cfg.Methods = []methods.Method{{Code: "fees", Name: "Fees", Kind: methods.KindRedirect,
					Operations: []store.Operation{store.OpSale},
					Sets:       []methods.Use{{Set: "fees"}}, Defines: []methods.Set{{Name: "fees", Rows: []methods.Row{
						{Path: "fee_bearer", Requirement: methods.Optional, Rule: methods.Rule{Kind: methods.RuleText}, Option: methods.OptionFeeBearer},
						{Path: "note", Requirement: methods.Optional, Rule: methods.Rule{Kind: methods.RuleText}},
					}}}}}
			})
			kerneltest.SwitchCascading(t, kit, store.S2SAPM)
			for i, settings := range c.mids {
				mid := store.MID{ID: []string{"mid-0", "mid-1", "mid-2"}[i], MerchantID: gatewaytest.MerchantID, Connector: "ear",
					Priority: i + 1, Settings: settings, Methods: []string{"fees"}}
				if i == 0 {
					mid.Limits.Day = c.day
				}
				require.NoError(t, kit.SaveMID(t.Context(), mid))
			}
			require.NoError(t, kit.SaveMID(t.Context(),
				store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Disabled: true}))
			_, err := kit.Shop().Charge(t.Context(),
				kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.ViaAPM,
					func(r *gateway.ChargeRequest) { r.Method = "fees" }))
			require.NoError(t, err)
			for i, op := range heard {
				require.Equal(t, c.at[i], op.MID.ID)
				var told map[string]string
				require.NoError(t, json.Unmarshal(op.Parameters, &told))
				require.Equal(t, c.feeBearer[i], told["fee_bearer"])
			}
			require.Len(t, heard, len(c.at))
		})
	}
}

// What a MID needs is asked of the payer at the first payment of a chain. The payments after it bring no parameters,
// and are charged where the first one was.
func TestLaterPaymentsBringNoParameters(t *testing.T) {
	t.Parallel()
	sent := func(r *gateway.ChargeRequest) {
		r.Parameters = json.RawMessage(`{"shipping":{"street1":"Karl Johans gate 1"}}`)
	}
	for _, protocol := range []store.Protocol{store.Checkout, store.S2SCard} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			require.NoError(t, kit.SaveMID(t.Context(),
				store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
					Settings: map[string]string{"needed_parameters": "shipping.street1"}}))
			by := func(r *gateway.ChargeRequest) {
				if r.Protocol = protocol; protocol == store.S2SCard {
					r.Action = "SALE"
				}
			}
			_, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3), sent, by)
			kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-LATER",
				func(r *gateway.RecurRequest) { r.Protocol = protocol }))
			kerneltest.AdvanceTo(t, kit, "2027-12-31")
			require.Len(t, kerneltest.PaidOn(t, kit), 4, "one by the merchant, three by the schedule")
		})
	}
}
