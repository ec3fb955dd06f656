package checkout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// "COF initiator, source, sequence" in callbacks and status answers of everything that stores a card or uses a
// stored one; on a MID with Card-on-File the acquirer registers it and gets its reference with every later use.
func TestSPEC1CardOnFile(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.Add = store.Additions{COF: true} })
	require.NoError(t, s.SaveMID(t.Context(), store.MID{
		ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live", Connector: "vcard", COF: true}))
	is := func(order string, want ...string) {
		t.Helper()
		form := s.callbackOf(t, order)
		require.Equal(t, want, []string{form.Get("initiator"), form.Get("source"), form.Get("sequence")})
		status := ok[map[string]any](t, s, pathStatus, byOrder(order))
		require.Equal(t, []any{want[0], want[1], want[2]}, []any{status["initiator"], status["source"], status["sequence"]})
	}
	token := s.token(t)
	is("ORD-1", "cardholder", "unscheduled", "first")
	link := s.link(t, set("order.number", "ORD-2"), set("card_token", []string{token}), set("recurring_init", true))
	s.submit(t, link, gateway.Submission{Saved: 1})
	is("ORD-2", "cardholder", "recurring", "first")
	ok[object](t, s, pathRecurring, recurring(s.Payment(t, "ORD-2"), set("order.number", "ORD-3")))
	is("ORD-3", "merchant", "recurring", "subsequent")
	s.submit(t, s.link(t, set("order.number", "ORD-4"), set("card_token", []string{token})), gateway.Submission{Saved: 1})
	is("ORD-4", "cardholder", "unscheduled", "subsequent")

	ok[object](t, s, pathCredit, payout(byToken(token), set("order_id", "ORD-5")))
	form := s.callbackOf(t, "ORD-5")
	require.Empty(t, form.Get("initiator")+form.Get("source")+form.Get("sequence"),
		"a payout is no use of a stored credential")

	credentials := map[string]string{}
	for _, e := range s.Charges(t) {
		credentials[e.Order] = e.Credential
	}
	require.Empty(t, credentials["ORD-1"])
	reference := credentials["ORD-2"]
	require.NotEmpty(t, reference)
	require.Equal(t, map[string]string{"ORD-1": "", "ORD-2": reference, "ORD-3": reference, "ORD-4": reference,
		"ORD-5": ""}, credentials)
}

// All nine "3DS result attributes" of a failed authentication, in the callback and in the status answer.
func TestSPEC1StatusOfFailed3DS(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.Add = store.Additions{ThreeDS: true} })
	next := s.Pay(t, s.link(t), gatewaytest.ThreeDSPasses)
	s.GiveUp(t, next.Redirect)
	got, form := s.statusFields(t), s.callbackOf(t, "ORD-1")
	names := []string{"threeDSServerTransID", "dsTransID", "acsTransID", "xid", "transStatus", "transStatusReason", "eci",
		"protocolVersion", "authenticationFlow"}
	for _, name := range names {
		require.NotEmpty(t, form.Get(name), name)
		require.Equal(t, form.Get(name), got[name], name)
	}
	require.Equal(t, []string{"N", "01", "07"},
		[]string{form.Get("transStatus"), form.Get("transStatusReason"), form.Get("eci")})
}
