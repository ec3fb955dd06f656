package checkout_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// The tests of this and the next files follow SPEC1 clause by clause, and each is named for its clause. Where
// SPEC1 leaves something open they follow docs/protocol. They send JSON over HTTP; only the payer, who sends no
// JSON, is played in Go.

// payment is one answer of a status lookup.
type payment struct {
	ID       string            `json:"payment_id"`
	Date     string            `json:"date"`
	Status   string            `json:"status"`
	Reason   string            `json:"reason"`
	Order    map[string]string `json:"order"`
	Customer map[string]string `json:"customer"`
}

// statusOf returns the status of a payment by a lookup.
func (s *shop) statusOf(t testing.TB, id string, edits ...edit) string {
	t.Helper()
	return ok[payment](t, s, pathStatus, followUp(id, "", edits...)).Status
}

// refund refunds a payment and returns its status afterwards.
func (s *shop) refund(t testing.TB, id, amount string) string {
	t.Helper()
	got := ok[map[string]string](t, s, pathRefund, followUp(id, amount))
	require.Equal(t, map[string]string{"payment_id": id, "result": "accepted", "amount": amount}, got)
	s.Work(t)
	return s.statusOf(t, id)
}

// byOrder returns a lookup by order number.
func byOrder(number string, edits ...edit) object {
	return followUp("", "", append([]edit{set("order_id", number)}, edits...)...)
}

// mid changes the merchant's live MID.
func (s *shop) mid(t testing.TB, change func(*store.MID)) {
	t.Helper()
	mid := store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live", Connector: "vcard"}
	change(&mid)
	require.NoError(t, s.SaveMID(t.Context(), mid))
}

// mapping changes the merchant's Protocol Mapping of Checkout.
func (s *shop) mapping(t testing.TB, change func(*store.Mapping)) {
	t.Helper()
	m := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout}
	change(&m)
	require.NoError(t, s.SaveMapping(t.Context(), m))
}

// The second merchant of some tests.
const (
	otherKey      = "other-merchant-key"
	otherPassword = "the other merchant's password"
)

// other adds a second merchant with a MID of its own.
func (s *shop) other(t testing.TB) {
	t.Helper()
	require.NoError(t, s.SaveMerchant(t.Context(), store.Merchant{
		ID: "m-other", Name: "Other Shop", Key: otherKey, Password: store.NewSecret(otherPassword),
	}))
	require.NoError(t, s.SaveMID(t.Context(), store.MID{ID: "other", MerchantID: "m-other", Connector: "vcard"}))
}

// asOther changes a body into one of the second merchant, with that key and signature.
func asOther(o object) {
	o["merchant_key"] = otherKey
	o["hash"] = o.sign(signature.MD5, otherPassword)
}

// "What the service does", 1: the backend receives redirect_url, the payer pays there.
func TestSPEC1CheckoutSession(t *testing.T) {
	t.Parallel()
	s := open(t)
	link := s.link(t)
	next, err := s.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, gateway.ActionCollect, next.Kind)
	require.Equal(t, store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift"},
		next.Order)
	next = s.Pay(t, link, gatewaytest.Settles)
	require.Equal(t, gateway.ActionReturn, next.Kind)
	require.True(t, strings.HasPrefix(next.URL, "https://shop.example/success?"), next.URL)
	require.Len(t, s.Charges(t), 1)
}

// "Resources", operation: purchase and debit; transfer and credit have their own tests.
func TestSPEC1Operation(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, operation := range []string{"purchase", "debit"} {
		link := s.link(t, set("operation", operation), set("order.number", operation))
		s.Pay(t, link, gatewaytest.Settles)
		got := ok[payment](t, s, pathStatus, byOrder(operation))
		require.Equal(t, "settled", got.Status)
	}
}

// "MID payment modes": auth routes to modes, and decides whether a sale or an authorization is made. A MID without
// a mode serves either flow.
func TestSPEC1PaymentModes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode   store.Mode
		auth   any
		status string // "" for no MID
	}{
		{store.SMS, false, "settled"}, {store.SMS, true, ""},
		{store.DMS, false, ""}, {store.DMS, true, "pending"},
		{store.SMSDMS, false, "settled"}, {store.SMSDMS, true, "pending"},
		{"", false, "settled"}, {"", true, "pending"},
		{"", "N", "settled"}, {"", "Y", "pending"}, {"", "true", "pending"}, {"", raw("null"), "settled"},
	} {
		t.Run(fmt.Sprintf("%s auth %v", c.mode, c.auth), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mid(t, func(m *store.MID) { m.Mode = c.mode })
			if c.status == "" {
				requireError(t, s.post(t, pathSession, purchase(set("auth", c.auth))), 204009, "Payment type not found.")
				return
			}
			require.Equal(t, c.status, s.statusOf(t, s.settled(t, set("auth", c.auth)).ID))
		})
	}
}

// "A MID in DMS mode keeps any sale in PENDING until it is captured."
func TestSPEC1DMSKeepsSalesPending(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"purchase", "debit"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mid(t, func(m *store.MID) { m.Mode, m.ChannelID = store.DMS, "held" })
			p := s.settled(t, set("operation", operation), set("channel_id", "held"))
			require.Equal(t, "pending", s.statusOf(t, p.ID))
			s.Advance(t, 48*time.Hour)
			require.Equal(t, "pending", s.statusOf(t, p.ID))
			ok[object](t, s, pathCapture, followUp(p.ID, "10.00"))
			require.Equal(t, "settled", s.statusOf(t, p.ID))
		})
	}
}

// channel_id: "Routes to a specific MID; with methods, that MID must support the method".
func TestSPEC1ChannelID(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, s.SaveMID(t.Context(), store.MID{
		ID: "second", MerchantID: gatewaytest.MerchantID, Connector: "vcard", ChannelID: "sixteen-letters-",
		Methods: []string{"card"}, Priority: 9,
	}))
	require.Equal(t, "second", s.settled(t, set("channel_id", "sixteen-letters-")).MIDID)
	requireFaults(t, s.post(t, pathSession, purchase(set("order.number", "ORD-2"), set("channel_id", "SIXTEEN-letters-"))),
		"channel_id"+invalid)
	requireError(t, s.post(t, pathSession,
		purchase(set("order.number", "ORD-2"), set("channel_id", "sixteen-letters-"), set("methods", []string{"paypal"}))),
		204004, "Payment method not supported.")
}

// methods: "Limits the methods shown; when omitted, pre-routing rules apply".
func TestSPEC1Methods(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mid(t, func(m *store.MID) { m.Methods = []string{"card"} })
	s.link(t)
	s.link(t, set("order.number", "ORD-2"), set("methods", []string{"paypal", "card"}))
	requireError(t, s.post(t, pathSession, purchase(set("order.number", "ORD-3"), set("methods", []string{"paypal"}))),
		204010, "Payment method not found.")
}

// "A zero order.amount is accepted only on an authorization-only request or on a request that
// initializes a recurring chain, provided the payment provider supports zero-value transactions."
func TestSPEC1ZeroAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		zero  bool // the MID's provider accepts zero
		edits []edit
		want  string // the fault; "" when accepted
	}{
		{"plain", true, nil, positive},
		{"plain with a flag that is off", true, []edit{set("auth", "N"), set("recurring_init", false)}, positive},
		{"authorization", true, []edit{set("auth", true)}, ""},
		{"chain", true, []edit{set("recurring_init", true)}, ""},
		{"authorization of a provider that takes none", false, []edit{set("auth", true)}, "amount: the payment provider does not accept zero amount"},
		{"chain of a provider that takes none", false, []edit{set("recurring_init", "Y")}, "amount: the payment provider does not accept zero amount"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mid(t, func(m *store.MID) { m.ZeroAmount = c.zero })
			got := s.post(t, pathSession, purchase(append(c.edits, set("order.amount", "0.00"))...))
			if c.want != "" {
				requireFaults(t, got, c.want)
				return
			}
			require.Equal(t, 200, got.status, got.body)
		})
	}
}

// "Amount format": two decimals for exponents 0 and 2, three for 3, four for 4, a crypto asset's own.
func TestSPEC1AmountFormat(t *testing.T) {
	t.Parallel()
	s := open(t, assets)
	decimals := map[string][]int{ // accepted numbers of decimals
		"USD": {2}, "EUR": {2}, "JPY": {0, 2}, "KRW": {0, 2}, "KWD": {3}, "TND": {3}, "CLF": {4}, "UYW": {4}, "USDC": {6}, "WEI": {18},
	}
	for currency, pass := range decimals {
		for n := range 20 {
			amount := "7"
			if n > 0 {
				amount += "." + strings.Repeat("0", n)
			}
			got := s.post(t, pathSession, purchase(of(currency, amount), set("methods", raw(`["vcard"]`)),
				set("order.number", fmt.Sprint(currency, n))))
			want := 400
			for _, passes := range pass {
				if n == passes {
					want = 200
				}
			}
			require.Equal(t, want, got.status, "%s %s: %s", amount, currency, got.body)
		}
	}
}

// session_expiry: 1..720 minutes, default 60; "expired: payer sent to expiry_url when given".
func TestSPEC1SessionExpiry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		edits   []edit
		minutes int
	}{
		{"default", nil, 60},
		{"shortest", []edit{set("session_expiry", 1)}, 1},
		{"longest", []edit{set("session_expiry", 720)}, 720},
		{"as text", []edit{set("session_expiry", "15")}, 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			link := s.link(t, append(c.edits, set("expiry_url", "https://shop.example/late"))...)
			s.Advance(t, time.Duration(c.minutes)*time.Minute-time.Millisecond)
			next, err := s.NextAction(t.Context(), link)
			require.NoError(t, err)
			require.Equal(t, gateway.ActionCollect, next.Kind)
			s.Advance(t, time.Millisecond)
			next = s.Pay(t, link, gatewaytest.Settles)
			require.Equal(t, gateway.ActionReturn, next.Kind)
			require.Equal(t, "https://shop.example/late", next.URL)
			require.Empty(t, s.Charges(t), "an expired link pays nothing")
		})
	}
}

// "Maximum number of declines": the payer is sent to cancel_url; each attempt is a payment of the order.
func TestSPEC1MaximumDeclines(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.MaxDeclines = 1 })
	next := s.Pay(t, s.link(t), gatewaytest.Declines)
	require.Equal(t, gateway.ActionReturn, next.Kind)
	require.True(t, strings.HasPrefix(next.URL, "https://shop.example/cancel?"), next.URL)
	got := ok[payment](t, s, pathStatus, byOrder("ORD-1"))
	require.Equal(t, "decline", got.Status)
	require.Equal(t, "Declined by processing.", got.Reason)
}

// "Return query parameters": always payment_id, trans_id, order_id, hash, in addition to the URL's own.
func TestSPEC1ReturnParameters(t *testing.T) {
	t.Parallel()
	s := open(t)
	next := s.Pay(t, s.link(t, set("success_url", "https://shop.example/ok?payment_id=mine&cart=1")), gatewaytest.Settles)
	u, err := url.Parse(next.URL)
	require.NoError(t, err)
	p, query := s.Payment(t, "ORD-1"), u.Query()
	require.Equal(t, "1", query.Get("cart"))
	for name, want := range map[string]string{"payment_id": p.ID, "trans_id": p.Transactions[0].ID, "order_id": "ORD-1"} {
		require.Equal(t, []string{want}, query[name], "once, even where the merchant's URL has it")
	}
	require.True(t, signature.Verify(signature.CheckoutCallback, signature.MD5, signature.Inputs{
		PaymentID: p.ID, OrderNumber: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift",
	}, gatewaytest.Password, query.Get("hash")))
}

// "Duplicate window": same merchant_key and order.number within 15 seconds.
func TestSPEC1DuplicateWindow(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.other(t)
	s.link(t)
	requireError(t, s.post(t, pathSession, purchase()), 400, "Duplicate request.")
	requireError(t, s.post(t, pathSession, purchase(set("order.amount", "11.00"), set("operation", "debit"))), 400,
		"Duplicate request.")
	s.link(t, set("order.number", "ord-1"))
	require.Equal(t, 200, s.post(t, pathSession, purchase(asOther)).status, "numbers are not unique across merchants")
	s.Clock.Set(s.Clock.Now().Add(14999 * time.Millisecond))
	requireError(t, s.post(t, pathSession, purchase()), 400, "Duplicate request.")
	s.Clock.Set(s.Clock.Now().Add(time.Millisecond))
	s.link(t)
}

// A refused request does not open the window.
func TestSPEC1DuplicateWindowCountsWhatWasAccepted(t *testing.T) {
	t.Parallel()
	s := open(t)
	requireFaults(t, s.post(t, pathSession, purchase(set("hash", strings.Repeat("0", 40)))), badHash)
	requireFaults(t, s.post(t, pathSession, purchase(set("order.amount", "ten"))), twoDecimals)
	requireFaults(t, s.post(t, pathSession, purchase(set("channel_id", "nowhere"))), "channel_id"+invalid)
	s.link(t)
}

// "Status lookup by order": size absent, 1, 2..100, above.
func TestSPEC1StatusSize(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.MaxDeclines = 1000 })
	link := s.link(t)
	for range 4 {
		s.Pay(t, link, gatewaytest.Declines)
		s.Clock.Set(s.Clock.Now().Add(time.Second))
	}
	s.Pay(t, link, gatewaytest.Settles)

	newest := ok[payment](t, s, pathStatus, byOrder("ORD-1"))
	require.Equal(t, "settled", newest.Status, "the newest payment")
	for _, size := range []any{1, "1"} {
		require.Equal(t, []payment{newest}, ok[[]payment](t, s, pathStatus, byOrder("ORD-1", set("size", size))),
			"an array of one")
	}
	for size, want := range map[any]int{2: 2, "3": 3, 5: 5, "10": 5, 100: 5, "100": 5} {
		list := ok[[]payment](t, s, pathStatus, byOrder("ORD-1", set("size", size)))
		require.Len(t, list, want)
		require.Equal(t, newest, list[0])
		for i := 1; i < len(list); i++ {
			require.Less(t, list[i].ID, list[i-1].ID, "newest first")
			require.Equal(t, "decline", list[i].Status)
		}
	}
	for _, absent := range []any{"", raw("null")} {
		require.Equal(t, newest, ok[payment](t, s, pathStatus, byOrder("ORD-1", set("size", absent))))
	}
	for _, size := range []any{0, 101, "101", -1, 1000000} {
		requireFaults(t, s.post(t, pathStatus, byOrder("ORD-1", set("size", size))), badSize)
	}
}

// A status answer: the fields of checkout.md, "Status response".
func TestSPEC1StatusResponse(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.settled(t)
	want := payment{
		ID: p.ID, Date: "2027-03-10 12:00:00", Status: "settled",
		Order:    map[string]string{"number": "ORD-1", "amount": "10.00", "currency": "USD", "description": "Important gift"},
		Customer: map[string]string{"name": "John Doe", "email": "doe@example.com"},
	}
	require.Equal(t, want, ok[payment](t, s, pathStatus, followUp(p.ID, "")))
	require.Equal(t, want, ok[payment](t, s, pathStatus, byOrder("ORD-1")))
}

// "Status-lookup not-found codes". A payment of another merchant gives the same answer as an unknown one.
func TestSPEC1NotFound(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.other(t)
	id := s.settled(t).ID
	for _, path := range []string{pathStatus, pathCapture, pathRefund, pathVoid, pathRetry} {
		amount := ""
		if path == pathCapture || path == pathRefund {
			amount = "10.00"
		}
		unknown := s.post(t, path, followUp("019580e4-0000-7000-8000-000000000000", amount))
		requireError(t, unknown, 101000, "Payment does not exist.")
		require.Equal(t, unknown, sameDate(unknown, s.post(t, path, followUp(id, amount, asOther))),
			"another merchant's is as absent as one that never was")
	}
	requireError(t, s.post(t, pathStatus, byOrder("ORD-2")), 101000, "Order does not exist.")
	requireError(t, s.post(t, pathStatus, byOrder("ORD-1", asOther)), 101000, "Order does not exist.")
	require.Equal(t, "settled", s.statusOf(t, id), "and nothing happened to it")
}

// sameDate copies the Date header of one answer to another.
func sameDate(from, to answer) answer {
	to.header.Set("Date", from.header.Get("Date"))
	return to
}
