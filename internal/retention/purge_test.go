package retention_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

func limited(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
			Limits: store.Limits{Day: "100.00", Month: "100.00"}}))
	require.NoError(t, kit.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout,
			Limits: store.MappingLimits{Week: "100.00"}}))
}

// Each row: a second before its time a record stays; at its time it is deleted, and no other record.
func TestPurgeEdges(t *testing.T) {
	t.Parallel()
	start := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC) // of every kit
	paid := func(t *testing.T, kit *gatewaytest.Kit, card methods.Card) *gateway.NextAction {
		return kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), card)
	}
	for _, c := range []struct {
		name    string
		options []gatewaytest.Option
		make    func(t *testing.T, kit *gatewaytest.Kit)
		at      time.Time
		gone    map[string]int // at that moment, by prefix
	}{
		{"duplicate window", nil, func(t *testing.T, kit *gatewaytest.Kit) { kit.Session(t, "ORD-1", "10.00") },
			start.Add(15*time.Second + time.Hour), map[string]int{"w": 1}},
		{"used wallet token", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.PutRaw(t, kit.Store, start.Add(5*time.Minute).Format(time.RFC3339Nano), "wr", "used")
		}, start.Add(time.Hour + 5*time.Minute), map[string]int{"wr": 1}},
		{"endpoint that timed out", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.PutRaw(t, kit.Store,
				`{"v":1,"url":"https://a.example/","timeouts":["2027-03-10T11:59:00Z","2027-03-10T12:00:00Z"]}`, "ep", "a")
		}, start.Add(time.Hour + 5*time.Minute), map[string]int{"ep": 1}},
		{"endpoint that was blocked", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.PutRaw(t, kit.Store,
				`{"v":1,"url":"https://a.example/","blocked_until":"2027-03-10T12:15:00Z"}`, "ep", "a")
		}, start.Add(time.Hour + 20*time.Minute), map[string]int{"ep": 1}},
		{"limit of a day", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			limited(t, kit)
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
		},
			kerneltest.Date("2027-04-12"), map[string]int{"lm": 1}},
		{"limit of a week", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			limited(t, kit)
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
		},
			kerneltest.Date("2027-04-16"), map[string]int{"lm": 1}},
		{"limit of a month", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			limited(t, kit)
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
		},
			kerneltest.Date("2027-05-03"), map[string]int{"lm": 1}},
		{"week 53", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.PutRaw(t, kit.Store, "1", "lm", "m", "x", "USD", "w", "2026-53")
		},
			kerneltest.Date("2027-02-05"), map[string]int{"lm": 1}}, // ends on Monday, 4 January
		{"week 1 that begins the year before", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.PutRaw(t, kit.Store, "1", "lm", "m", "x", "USD", "w", "2025-1")
		},
			kerneltest.Date("2025-02-07"), map[string]int{"lm": 1}}, // 30 December to 6 January
		{"leap month", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.PutRaw(t, kit.Store, "1", "lm", "m", "x", "USD", "m", "2028-02")
		},
			kerneltest.Date("2028-04-02"), map[string]int{"lm": 1}},
		{"card token", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.TokenOf(t, kit, "ORD-1",
				gatewaytest.Settles)
		},
			kerneltest.Date("2038-03-04"), map[string]int{"ct": 1}},
		{"card token, of December", []gatewaytest.Option{func(c *gateway.Config) { c.Retention.Tokens = 24 * time.Hour }},
			func(t *testing.T, kit *gatewaytest.Kit) {
				kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Card(12, 2037))
			}, kerneltest.Date("2038-01-02"), map[string]int{"ct": 1}},
		{"unpaid session", nil, func(t *testing.T, kit *gatewaytest.Kit) { kit.Session(t, "ORD-1", "10.00") },
			start.Add(time.Hour + 90*kerneltest.Day), map[string]int{"s": 1}},
		{"paid session", nil, func(t *testing.T, kit *gatewaytest.Kit) { paid(t, kit, gatewaytest.Settles) },
			start.Add(time.Hour + 90*kerneltest.Day), map[string]int{"s": 1}},
		{"declined session", nil, func(t *testing.T, kit *gatewaytest.Kit) { paid(t, kit, gatewaytest.Declines) },
			start.Add(time.Hour + 90*kerneltest.Day), map[string]int{"s": 1}},
		{"session that was left", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			_, err := kit.LeaveSession(t.Context(), kit.Session(t, "ORD-1", "10.00"))
			require.NoError(t, err)
		}, start.Add(time.Hour + 90*kerneltest.Day), map[string]int{"s": 1}},
		{"session kept for less", []gatewaytest.Option{func(c *gateway.Config) { c.Retention.Sessions = 2 * time.Hour }},
			func(t *testing.T, kit *gatewaytest.Kit) {
				paid(t, kit, gatewaytest.Settles)
			}, start.Add(3 * time.Hour), map[string]int{"s": 1}},
		{"session whose payment was decided late", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Vcard.On("ORD-1", vcard.UnknownAfter())
			paid(t, kit, gatewaytest.Settles)
			kit.Clock.Set(start.Add(30 * kerneltest.Day))
			review := kerneltest.ReviewOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID, "seen")
			_, err := kit.Operator().ResolveDoubt(t.Context(), review, true)
			require.NoError(t, err)
		}, start.Add(120 * kerneltest.Day), map[string]int{"s": 1}},
		{"session of Hosted Payment Fields", nil,
			func(t *testing.T, kit *gatewaytest.Kit) { kerneltest.HostedToken(t, kit, "ORD-1", gatewaytest.Settles) },
			start.Add(time.Hour + 90*kerneltest.Day), map[string]int{"s": 1}},
		{"page without a session", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kit.ComeBack(t, kerneltest.Charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses).Redirect)
			require.True(t, kerneltest.OnlySession(t, kit).StatusPage)
		}, start.Add(kerneltest.Day + 90*kerneltest.Day), map[string]int{"s": 1}},
		{"payment", []gatewaytest.Option{kerneltest.KeepsPayments(gateway.MinPayments)},
			func(t *testing.T, kit *gatewaytest.Kit) { kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles) },
			start.Add(540 * kerneltest.Day), map[string]int{"p": 1, "o": 1, "cb": 1, "hs": -1}},
		{"payment under the test key", []gatewaytest.Option{kerneltest.KeepsPayments(gateway.MinPayments)},
			func(t *testing.T, kit *gatewaytest.Kit) {
				kerneltest.Charged(t, kit.As(gatewaytest.TestKey), "ORD-1", gatewaytest.Declines)
			}, start.Add(540 * kerneltest.Day), map[string]int{"p": 1, "ot": 1, "cb": 1, "hs": -1}},
		{"payment refunded later", []gatewaytest.Option{kerneltest.KeepsPayments(gateway.MinPayments)},
			func(t *testing.T, kit *gatewaytest.Kit) {
				p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
				kit.Clock.Set(start.Add(100 * kerneltest.Day))
				_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "1.00"))
				require.NoError(t, err)
			}, start.Add(640 * kerneltest.Day), map[string]int{"p": 1, "o": 1, "cb": 2, "hs": -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, c.options...)
			c.make(t, kit)
			kerneltest.LapAt(t, kit, c.at.Add(-time.Second))
			before := kerneltest.CountRecords(t, kit.Store)
			for prefix, n := range c.gone {
				require.GreaterOrEqual(t, before[prefix], n, prefix)
			}
			kerneltest.LapAt(t, kit, c.at)
			for prefix, n := range c.gone {
				if before[prefix] -= n; before[prefix] == 0 {
					delete(before, prefix)
				}
			}
			require.Equal(t, before, kerneltest.CountRecords(t, kit.Store))
		})
	}
}

// After 1,000 sessions of every kind and enough time, only the documented records are left, and the gateway works.
func TestStoreShrinks(t *testing.T) {
	t.Parallel()
	n := 1000
	if testing.Short() || kerneltest.Raced {
		n = 100
	}
	kit := kerneltest.Audited(t)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
			Limits: store.Limits{Day: "1000000.00"}}))
	var firsts, paid []string
	for i := range n {
		order := fmt.Sprint("ORD-", i)
		r := gatewaytest.Request(order, "10.00")
		switch i % 5 {
		case 0: // no payment
			kit.SessionOf(t, r)
		case 1:
			kit.Pay(t, kit.SessionOf(t, r), gatewaytest.Declines)
		case 2:
			r.Extra.ReqToken = true
			kit.Pay(t, kit.SessionOf(t, r), gatewaytest.Settles)
			paid = append(paid, order)
		case 3:
			r.Extra.RecurringInit = true
			kit.Pay(t, kit.SessionOf(t, r), gatewaytest.Settles)
			firsts = append(firsts, order)
		case 4:
			kit.ComeBack(t, kit.Pay(t, kit.SessionOf(t, r), gatewaytest.ThreeDSPasses).Redirect)
			paid = append(paid, order)
		}
	}
	kit.Work(t)
	fifth := n / 5
	all := map[string]int{"w": n, "s": n, "ct": fifth, "ch": fifth, "p": 4 * fifth, "o": 4 * fifth,
		"cb": 5 * fifth, "lm": 1, "m": 1, "md": 2, "mk": 2}
	require.Equal(t, all, kerneltest.CountRecords(t, kit.Store))
	kit.Clock.Set(kit.Clock.Now().Add(kerneltest.Day))
	kit.Work(t)
	delete(all, "w")
	require.Equal(t, all, kerneltest.CountRecords(t, kit.Store))
	kit.Clock.Set(kit.Clock.Now().Add(91 * kerneltest.Day))
	kit.Work(t)
	delete(all, "s")
	delete(all, "lm")
	delete(all, "cb")
	require.Equal(t, all, kerneltest.CountRecords(t, kit.Store))

	for i, order := range paid[:10] {
		p := kit.Payment(t, order)
		require.Equal(t, store.Settled, p.Status)
		_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "1.00"))
		require.NoError(t, err)
		if p.CardToken != "" {
			kerneltest.Charged(t, kit, fmt.Sprint("AGAIN-", i), methods.Card{}, kerneltest.ByToken(p.CardToken))
		}
		require.Equal(t, store.Settled,
			kerneltest.Recurred(t, kit, kerneltest.LaterOf(kit.Payment(t, firsts[i]), fmt.Sprint("MONTH-", i))).Payment.Status)
		_, err = kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID, Reason: "10.4 Fraud"})
		require.NoError(t, err)
	}
	kit.Work(t)
	for _, p := range kerneltest.ReadBooks(t, kit).Payments {
		list, err := kit.Operator().Callbacks(t.Context(), p.ID)
		require.NoError(t, err)
		require.LessOrEqual(t, len(list), p.Callbacks)
		for _, c := range list {
			require.Equal(t, store.CallbackDelivered, c.State)
		}
	}
	kit.Clock.Set(kerneltest.Date("2038-05-01"))
	kit.Work(t)
	require.Zero(t, kerneltest.CountRecords(t, kit.Store)["ct"])
	require.Equal(t, fifth, kerneltest.CountRecords(t, kit.Store)["ch"])
}
