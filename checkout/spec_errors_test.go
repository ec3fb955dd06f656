package checkout_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// "Checkout validation failures return 400 with an errors[] list": every field that failed, one entry
// each, in the order of the documented sample.
func TestSPEC1ErrorsListsEveryField(t *testing.T) {
	t.Parallel()
	s := open(t)
	requireFaults(t, s.post(t, pathSession, purchase(
		set("operation", "sale"), set("methods", raw(`[""]`)), set("order", object{"amount": "-1.00", "currency": "US"}),
		set("cancel_url", "cancel"), set("success_url", ""))),
		"operation"+notChoice, "methods[0]"+invalid, "order.number"+blank, negative, "order.currency"+invalid,
		"order.description"+blank, "cancel_url"+notURL, "success_url"+blank)
}

// Values that cannot be read and values that break a rule are in one list, in one order.
func TestSPEC1ErrorsMixTypesAndRules(t *testing.T) {
	t.Parallel()
	s := open(t)
	requireFaults(t, s.post(t, pathSession, purchase(
		set("form_id", "x"), set("order.description", 1), set("order.number", "x"), set("customer.email", raw("[]")),
		set("customer.name", "R2D2"),
		set("session_expiry", 0), set("recurring_init", "yes"), set("card_token", raw(`["a",1]`)), drop("success_url"),
		drop("merchant_key"))),
		"merchant_key"+blank, "order.number"+short(3), "order.description"+notString, "success_url"+blank, expiryText,
		latinName, "customer.email"+notString, "card_token[1]"+notString, "recurring_init"+notFlag, "form_id"+invalid)
}

// One entry per field, however many rules it breaks.
func TestSPEC1ErrorsOneEntryPerField(t *testing.T) {
	t.Parallel()
	s := open(t)
	body := repeat(purchase(), `"amount":"10.00"`, `"amount":1,"amount":true,"amount":[]`)
	requireFaults(t, s.send(t, pathSession, strings.NewReader(body)), "order.amount"+notString)
	body = repeat(purchase(), `"methods":`, `"methods":`)
	body = strings.Replace(body, `"hash":`, `"methods":["",1,2],"hash":`, 1)
	got := refused(t, s.send(t, pathSession, strings.NewReader(body)))
	require.Equal(t, []string{"methods[1]" + notString, "methods[2]" + notString}, got.messages(t))
}

// An empty request names every required field, and nothing else.
func TestSPEC1ErrorsOfNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	requireFaults(t, s.send(t, pathSession, strings.NewReader("{}")),
		"merchant_key"+blank, "operation"+blank, "order.number"+blank, "order.amount"+blank, "order.currency"+blank,
		"order.description"+blank, "success_url"+blank, "hash"+blank)
}

// The hash is checked after the fields, and a bad hash is the only entry.
func TestSPEC1HashAfterTheFields(t *testing.T) {
	t.Parallel()
	s := open(t)
	wrong := set("hash", strings.Repeat("0", 40))
	requireFaults(t, s.post(t, pathSession, purchase(wrong)), badHash)
	requireFaults(t, s.post(t, pathSession, purchase(wrong, set("cancel_url", "x"))), "cancel_url"+notURL)
	requireFaults(t, s.post(t, pathSession, purchase(wrong, set("merchant_key", "nobody"))), "merchant_key"+invalid)
	requireFaults(t, s.post(t, pathSession, purchase(wrong, set("channel_id", "nowhere"))), badHash)
	requireFaults(t, s.post(t, pathSession, purchase(wrong, set("operation", "credit"), set("payee.name", "John Doe"))),
		badHash)
	s.link(t)
	requireFaults(t, s.post(t, pathSession, purchase(wrong)), badHash)
}

// A bad hash and an unknown merchant_key have the same answer (decision k), on every path, and reveal nothing of
// the payment.
func TestSPEC1BadHashAndUnknownKeyAreAlike(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.settled(t).ID
	for _, path := range []string{pathSession, pathStatus, pathCapture, pathRefund, pathVoid, pathRetry, pathRecurring,
		pathCredit} {
		body := func(edits ...edit) object {
			switch path {
			case pathSession:
				return purchase(edits...)
			case pathRecurring:
				return recurring(store.Payment{ID: id, RecurringToken: "none"}, edits...)
			case pathCredit:
				return payout(edits...)
			}
			return followUp(id, "1.00", edits...)
		}
		hash := s.post(t, path, body(set("hash", strings.Repeat("0", 40))))
		key := s.post(t, path, body(set("merchant_key", "nobody")))
		requireFaults(t, hash, badHash)
		requireFaults(t, key, "merchant_key"+invalid)
		require.Len(t, hash.header, len(key.header))
	}
	requireFaults(t, s.post(t, pathStatus, followUp("nothing", "", set("hash", strings.Repeat("0", 40)))), badHash)
	s.requireStatus(t, id, "settled")
}

// "MID" and "Protocol Mapping" settings that leave no route.
func TestSPEC1NoRoute(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		set     func(*shop)
		edits   []edit
		code    int
		message string
	}{
		{"MIDs switched off", func(s *shop) {
			s.mid(t, func(m *store.MID) { m.Disabled = true })
			s.mid(t, func(m *store.MID) { m.ID, m.Test, m.Disabled = "test", true, true })
		}, nil, 204002, "Enabled merchant mappings or MIDs not found."},
		{"live key where there is a test MID only", func(s *shop) { s.mid(t, func(m *store.MID) { m.Test = true }) }, nil, 220002, "Use merchant test key."},
		{"test key where there is a live MID only", func(s *shop) {
			require.NoError(t, s.SaveMID(t.Context(),
				store.MID{ID: "test", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}))
		}, []edit{set("merchant_key", gatewaytest.TestKey)}, 204002, "Enabled merchant mappings or MIDs not found."},
		{"mapping switched off", func(s *shop) { s.mapping(t, func(m *store.Mapping) { m.Disabled = true }) }, nil, 204002, "Enabled merchant mappings or MIDs not found."},
		{"currency", func(s *shop) { s.mid(t, func(m *store.MID) { m.Currencies = []string{"EUR"} }) }, nil, 204012, "Payment currency not found."},
		{"method", func(s *shop) { s.mid(t, func(m *store.MID) { m.Methods = []string{"paypal"} }) }, []edit{set("methods", []any{"card"})}, 204010, "Payment method not found."},
		{"method of another MID", func(s *shop) {
			s.mid(t, func(m *store.MID) { m.Methods = []string{"paypal"} })
			s.addMID(t, "second", func(m *store.MID) { m.Disabled = true })
		}, []edit{set("methods", []any{"card"})}, 204004, "Payment method not supported."},
		{"operation of no MID", func(s *shop) { s.mid(t, func(m *store.MID) { m.Operations = []store.Operation{store.OpDebit} }) }, nil, 204013, "Payment action not found."},
		{"operation that no method serves", func(*shop) {}, []edit{set("operation", "debit"), set("methods", []any{"paypal"})}, 204005, "Payment action not supported."},
		{"MOTO", func(*shop) {}, []edit{set("moto_type", "phone_moto")}, 204025, "Enabled MIDs for MOTO payments not found."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			c.set(s)
			requireError(t, s.post(t, pathSession, purchase(c.edits...)), c.code, c.message)
		})
	}
}

// moto_type: "the payment goes only to MIDs with MOTO enabled"; ecommerce is no MOTO value.
func TestSPEC1MOTO(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mid(t, func(m *store.MID) { m.MOTO = true })
	for _, moto := range []string{"phone_moto", "email_moto", "default_moto", "ecommerce"} {
		s.link(t, set("moto_type", moto), set("order.number", moto))
	}
}

// The test key reaches test MIDs, and the answers show it; the password is the same (decision r).
func TestSPEC1TestKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	link := s.link(t, set("merchant_key", gatewaytest.TestKey))
	next, err := s.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.True(t, next.Test)
	require.Equal(t, gateway.ActionReturn, s.Pay(t, link, gatewaytest.Settles).Kind)
	found, err := s.Merchant(gatewaytest.TestKey).Status(t.Context(), gateway.Lookup{OrderNumber: "ORD-1"})
	require.NoError(t, err)
	p := found[0].Payment
	require.Equal(t, "test", p.MIDID)
	_, err = s.Shop().Status(t.Context(), gateway.Lookup{PaymentID: p.ID})
	require.ErrorIs(t, err, gateway.ErrNoPayment, "live and test payments never meet")
	require.Equal(t, "settled", s.statusOf(t, p.ID, set("merchant_key", gatewaytest.TestKey)))
	live, err := s.NextAction(t.Context(), s.link(t, set("order.number", "ORD-2")))
	require.NoError(t, err)
	require.False(t, live.Test)
}

// The key of one merchant with the signature of another gives a bad hash.
func TestSPEC1KeysBelongToTheirPassword(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.other(t)
	requireFaults(t, s.post(t, pathSession, purchase(set("merchant_key", otherKey))), badHash)
	require.Equal(t, 200, s.post(t, pathSession, purchase(asOther)).status)
}

// SHA256 in the Protocol Mapping: requests are checked and callbacks are signed that way.
func TestSPEC1SHA256Mapping(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.SHA256 = true })
	sha := func(o object) { o["hash"] = o.sign(signature.SHA256, gatewaytest.Password) }
	requireFaults(t, s.post(t, pathSession, purchase()), badHash)
	p := s.settled(t, sha)
	requireFaults(t, s.post(t, pathStatus, followUp(p.ID, "")), badHash)
	requireFaults(t, s.post(t, pathRefund, followUp(p.ID, "1.00")), badHash)
	require.Equal(t, "settled", s.statusOf(t, p.ID, sha))
	ok[object](t, s, pathRefund, followUp(p.ID, "1.00", sha))
	ok[payment](t, s, pathStatus, byOrder("ORD-1", sha))
	s.Work(t)
	for _, form := range s.Inbox.Fields(t) {
		require.True(t, signature.Verify(signature.CheckoutCallback, signature.SHA256, signature.Inputs{
			PaymentID: p.ID, OrderNumber: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift",
		}, gatewaytest.Password, form.Get("hash")))
	}
}

// The capitals of a hash: in requests those of ASCII or of all of Unicode (decision l). The hashes are computed
// here from the formula, not by the code under test.
func TestSPEC1HashCapitals(t *testing.T) {
	t.Parallel()
	const description = "Straße, déjà vu"
	upper := strings.ToUpper("ORD-110.00USD") // the ASCII part is the same in both
	for name, text := range map[string]string{"ASCII": "STRAßE, DéJà VU", "Unicode": "STRASSE, DÉJÀ VU"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			got := s.post(t, pathSession, purchase(set("order.description", description),
				set("hash", plainHash(upper+text+strings.ToUpper(gatewaytest.Password)))))
			require.Equal(t, 200, got.status, got.body)
		})
	}
}

// Every formula of the paths, computed here from "Hash formulas" and not by the code under test.
func TestSPEC1HashFormulas(t *testing.T) {
	t.Parallel()
	s := open(t)
	up := strings.ToUpper
	s.link(t, set("hash", plainHash(up("ORD-1"+"10.00"+"USD"+"Important gift"+gatewaytest.Password))))
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	p := s.held(t)
	ok[payment](t, s, pathStatus, byOrder("ORD-1", set("hash", plainHash(up("ORD-1"+gatewaytest.Password)))))
	ok[payment](t, s, pathStatus, followUp(p.ID, "", set("hash", plainHash(up(p.ID+gatewaytest.Password)))))
	ok[object](t, s, pathCapture, followUp(p.ID, "9.00", set("hash", plainHash(up(p.ID+"9.00"+gatewaytest.Password)))))
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	other := s.settled(t)
	ok[object](t, s, pathVoid, followUp(other.ID, "", set("hash", plainHash(up(other.ID+gatewaytest.Password)))))
	ok[object](t, s, pathRefund, followUp(p.ID, "1.00", set("hash", plainHash(up(p.ID+"1.00"+gatewaytest.Password)))))
}

// Amounts are hashed as they were sent: "100" of yen is not "100.00".
func TestSPEC1AmountIsHashedAsSent(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.link(t, of("JPY", "100"))
	requireFaults(t, s.post(t, pathSession, purchase(of("JPY", "100"), signFirst, of("JPY", "100.00"))), badHash)
}
