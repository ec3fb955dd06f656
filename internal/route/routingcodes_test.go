package route_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// What no MID of the merchant lists is "not found"; what one lists and none can take here is "not supported"
// (decision bx; errors.md). On S2S APM a method is a brand.
func TestRoutingCodes(t *testing.T) {
	t.Parallel()
	live := func(change func(*store.MID)) store.MID {
		mid := store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}
		change(&mid)
		return mid
	}
	off := live(func(m *store.MID) { m.ID, m.Disabled = "off", true }) // lists everything, and is switched off
	cases := []struct {
		name    string
		mids    []store.MID
		method  string
		kind    store.Kind
		hold    bool
		page, s int // the codes of Checkout and of S2S
	}{
		{"type of no MID", []store.MID{live(func(m *store.MID) { m.Mode = store.SMS })}, "vcard", store.Purchase, true, 204009, 204009},
		{"type of another MID", []store.MID{live(func(m *store.MID) { m.Mode = store.SMS }), off}, "vcard", store.Purchase, true, 204003, 204003},
		{"sale where every MID only holds", []store.MID{live(func(m *store.MID) { m.Mode = store.DMS })}, "vcard", store.Purchase, false, 204009, 204009},
		{"method of no MID", []store.MID{live(func(m *store.MID) { m.Methods = []string{"card"} })}, "vcard", store.Purchase, false, 204010, 204011},
		{"method of another MID", []store.MID{live(func(m *store.MID) { m.Methods = []string{"card"} }), off}, "vcard", store.Purchase, false, 204004, 204006},
		{"operation of no MID", []store.MID{live(func(m *store.MID) { m.Operations = []store.Operation{store.OpDebit} })}, "vcard", store.Purchase, false, 204013, 204013},
		{"operation of another MID", []store.MID{live(func(m *store.MID) { m.Operations = []store.Operation{store.OpDebit} }), off}, "vcard", store.Purchase, false, 204005, 204005},
		{"operation that the method does not serve", []store.MID{live(func(*store.MID) {})}, "paypal", store.Debit, false, 204005, 204005},
		{"currency of no MID", []store.MID{live(func(m *store.MID) { m.Currencies = []string{"EUR"} })}, "vcard", store.Purchase, false, 204012, 204012},
		{"no MID", []store.MID{live(func(m *store.MID) { m.Disabled = true })}, "vcard", store.Purchase, false, 204002, 204002},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			for _, mid := range c.mids {
				require.NoError(t, kit.SaveMID(t.Context(), mid))
			}
			session := gatewaytest.Request("ORD-1", "10.00")
			session.Methods, session.Operation, session.Hold = []string{c.method}, string(c.kind), c.hold
			_, err := kit.Shop().CreateSession(t.Context(), session)
			require.Equal(t, c.page, gateway.AsError(err).Code(), "a session: %v", err)
			for protocol, want := range map[store.Protocol]int{store.Checkout: c.page, store.S2SAPM: c.s} {
				r := kerneltest.ChargeOf("ORD-2", gatewaytest.Settles)
				r.Protocol, r.Method, r.Kind, r.Hold, r.Identifier = protocol, c.method, c.kind, c.hold, "success@gmail.com"
				r.ReturnURL = "https://shop.example/back"
				_, err := kit.Shop().Charge(t.Context(), r)
				require.Equal(t, want, gateway.AsError(err).Code(), "%s: %v", protocol, err)
			}
			require.Empty(t, kit.Charges(t))
		})
	}
	t.Run("what a MID cannot perform is refused when it is saved", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t)
		err := kit.SaveMID(t.Context(), live(func(m *store.MID) { m.Operations = []store.Operation{store.OpRefund} }))
		require.ErrorContains(t, err, `operations: "REFUND"`)
		err = kit.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout,
			Limits: store.MappingLimits{Week: "many"}})
		require.ErrorContains(t, err, "limits: decimal numbers")
	})
}
