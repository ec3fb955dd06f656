package gateway_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

const aDay = 24 * time.Hour

// sweeperAt is the sweeper's record, as anybody could read and write it.
type sweeperAt struct {
	Prefix string    `json:"prefix,omitempty"`
	Due    time.Time `json:"due"`
	Step   int       `json:"step"`
}

var sweeperTable = store.Table[sweeperAt]{Prefix: "pg", Version: 1}

// lapDue makes the sweeper's next lap due now.
func lapDue(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	require.NoError(t, kit.Store.Update(context.Background(), func(tx store.Tx) error {
		return sweeperTable.Put(tx, sweeperAt{Due: kit.Clock.Now()})
	}))
}

// lapAt does a lap at a moment.
func lapAt(t testing.TB, kit *gatewaytest.Kit, at time.Time) {
	t.Helper()
	kit.Clock.Set(at)
	kit.Work(t) // what else is due
	lapDue(t, kit)
	kit.Work(t)
}

// keysUnder is every key of a store under a prefix.
func keysUnder(t testing.TB, s store.Store, prefix string) (keys []string) {
	t.Helper()
	require.NoError(t, s.View(context.Background(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Prefix: store.Key(prefix), Limit: everything}) {
			require.NoError(t, entry.Err)
			keys = append(keys, string(entry.Key))
		}
		return nil
	}))
	return keys
}

// counted is how many keys a store has of each kind that may age.
func counted(t testing.TB, s store.Store) map[string]int {
	t.Helper()
	list := map[string]int{}
	for _, prefix := range []string{"w", "wr", "lm", "ct", "s", "p", "t", "o", "ot", "cb", "ch", "sc", "sk", "hs", "m", "md", "mk", "qr", "qc", "qh", "ep"} {
		if n := len(keysUnder(t, s, prefix)); n > 0 {
			list[prefix] = n
		}
	}
	return list
}

func raw(t testing.TB, s store.Store, value string, key ...string) {
	t.Helper()
	require.NoError(t, s.Update(context.Background(), func(tx store.Tx) error { return tx.Put(store.Key(key...), []byte(value)) }))
}

// sessionOf is the record of the session of a link, or of a payment.
func onlySession(t testing.TB, kit *gatewaytest.Kit) store.Session {
	t.Helper()
	all := read(t, kit).sessions
	require.Len(t, all, 1)
	return all[0]
}

func keeps(payments time.Duration) gatewaytest.Option {
	return func(c *gateway.Config) { c.Retention.Payments = payments }
}

func limited(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
		Limits: store.Limits{Day: "100.00", Month: "100.00"}}))
	require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout,
		Limits: store.MappingLimits{Week: "100.00"}}))
}

func date(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

// Each row: a second before its time a record stays, at its time it goes, and nothing else does.
func TestPurgeEdges(t *testing.T) {
	t.Parallel()
	start := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC) // of every kit
	paid := func(t *testing.T, kit *gatewaytest.Kit, card methods.Card) *gateway.Turn {
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
			raw(t, kit.Store, start.Add(5*time.Minute).Format(time.RFC3339Nano), "wr", "used")
		}, start.Add(time.Hour + 5*time.Minute), map[string]int{"wr": 1}},
		{"endpoint that timed out", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			raw(t, kit.Store, `{"v":1,"url":"https://a.example/","timeouts":["2027-03-10T11:59:00Z","2027-03-10T12:00:00Z"]}`, "ep", "a")
		}, start.Add(time.Hour + 5*time.Minute), map[string]int{"ep": 1}},
		{"endpoint that was blocked", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			raw(t, kit.Store, `{"v":1,"url":"https://a.example/","blocked_until":"2027-03-10T12:15:00Z"}`, "ep", "a")
		}, start.Add(time.Hour + 20*time.Minute), map[string]int{"ep": 1}},
		{"limit of a day", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			limited(t, kit)
			charged(t, kit, "ORD-1", gatewaytest.Settles)
		},
			date("2027-04-12"), map[string]int{"lm": 1}},
		{"limit of a week", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			limited(t, kit)
			charged(t, kit, "ORD-1", gatewaytest.Settles)
		},
			date("2027-04-16"), map[string]int{"lm": 1}},
		{"limit of a month", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			limited(t, kit)
			charged(t, kit, "ORD-1", gatewaytest.Settles)
		},
			date("2027-05-03"), map[string]int{"lm": 1}},
		{"week 53", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			raw(t, kit.Store, "1", "lm", "m", "x", "USD", "w", "2026-53")
		},
			date("2027-02-05"), map[string]int{"lm": 1}}, // ends on Monday, 4 January
		{"week 1 that begins the year before", nil, func(t *testing.T, kit *gatewaytest.Kit) { raw(t, kit.Store, "1", "lm", "m", "x", "USD", "w", "2025-1") },
			date("2025-02-07"), map[string]int{"lm": 1}}, // 30 December to 6 January
		{"leap month", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			raw(t, kit.Store, "1", "lm", "m", "x", "USD", "m", "2028-02")
		},
			date("2028-04-02"), map[string]int{"lm": 1}},
		{"card token", nil, func(t *testing.T, kit *gatewaytest.Kit) { tokenOf(t, kit, "ORD-1", gatewaytest.Settles) },
			date("2038-03-04"), map[string]int{"ct": 1}},
		{"card token, of December", []gatewaytest.Option{func(c *gateway.Config) { c.Retention.Tokens = 24 * time.Hour }},
			func(t *testing.T, kit *gatewaytest.Kit) { tokenOf(t, kit, "ORD-1", gatewaytest.Card(12, 2037)) }, date("2038-01-02"), map[string]int{"ct": 1}},
		{"session nobody paid", nil, func(t *testing.T, kit *gatewaytest.Kit) { kit.Session(t, "ORD-1", "10.00") },
			start.Add(time.Hour + 90*aDay), map[string]int{"s": 1}},
		{"paid session", nil, func(t *testing.T, kit *gatewaytest.Kit) { paid(t, kit, gatewaytest.Settles) },
			start.Add(time.Hour + 90*aDay), map[string]int{"s": 1}},
		{"declined session", nil, func(t *testing.T, kit *gatewaytest.Kit) { paid(t, kit, gatewaytest.Declines) },
			start.Add(time.Hour + 90*aDay), map[string]int{"s": 1}},
		{"session that was left", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			_, err := kit.LeaveSession(t.Context(), kit.Session(t, "ORD-1", "10.00"))
			require.NoError(t, err)
		}, start.Add(time.Hour + 90*aDay), map[string]int{"s": 1}},
		{"session kept for less", []gatewaytest.Option{func(c *gateway.Config) { c.Retention.Sessions = 2 * time.Hour }},
			func(t *testing.T, kit *gatewaytest.Kit) { paid(t, kit, gatewaytest.Settles) }, start.Add(3 * time.Hour), map[string]int{"s": 1}},
		{"session whose payment was decided late", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Vcard.On("ORD-1", vcard.UnknownAfter())
			paid(t, kit, gatewaytest.Settles)
			kit.Clock.Set(start.Add(30 * aDay))
			_, err := kit.Settle(t.Context(), kit.Payment(t, "ORD-1").Transactions[0], true, "ann", "seen")
			require.NoError(t, err)
		}, start.Add(120 * aDay), map[string]int{"s": 1}},
		{"session of Hosted Payment Fields", nil, func(t *testing.T, kit *gatewaytest.Kit) { hostedToken(t, kit, "ORD-1", gatewaytest.Settles) },
			start.Add(time.Hour + 90*aDay), map[string]int{"s": 1}},
		{"page without a session", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kit.ComeBack(t, charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses).Next)
			require.True(t, onlySession(t, kit).Bare)
		}, start.Add(aDay + 90*aDay), map[string]int{"s": 1}},
		{"payment", []gatewaytest.Option{keeps(gateway.MinPayments)}, func(t *testing.T, kit *gatewaytest.Kit) { charged(t, kit, "ORD-1", gatewaytest.Settles) },
			start.Add(540 * aDay), map[string]int{"p": 1, "t": 1, "o": 1, "cb": 1}},
		{"payment under the test key", []gatewaytest.Option{keeps(gateway.MinPayments)}, func(t *testing.T, kit *gatewaytest.Kit) {
			charged(t, kit, "ORD-1", gatewaytest.Declines, byTestKey)
		}, start.Add(540 * aDay), map[string]int{"p": 1, "t": 1, "ot": 1, "cb": 1}},
		{"payment refunded later", []gatewaytest.Option{keeps(gateway.MinPayments)}, func(t *testing.T, kit *gatewaytest.Kit) {
			p := charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
			kit.Clock.Set(start.Add(100 * aDay))
			_, err := kit.CreditVoid(t.Context(), of(p, "1.00"))
			require.NoError(t, err)
		}, start.Add(640 * aDay), map[string]int{"p": 1, "t": 2, "o": 1, "cb": 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, c.options...)
			c.make(t, kit)
			lapAt(t, kit, c.at.Add(-time.Second))
			before := counted(t, kit.Store)
			for prefix, n := range c.gone {
				require.GreaterOrEqual(t, before[prefix], n, prefix)
			}
			lapAt(t, kit, c.at)
			for prefix, n := range c.gone {
				if before[prefix] -= n; before[prefix] == 0 {
					delete(before, prefix)
				}
			}
			require.Equal(t, before, counted(t, kit.Store))
		})
	}
}

// After 1,000 sessions of every kind and the time passing only what is documented is left, and it works.
func TestStoreShrinks(t *testing.T) {
	t.Parallel()
	n := 1000
	if testing.Short() || raced {
		n = 100
	}
	kit := audited(t)
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
		Limits: store.Limits{Day: "1000000.00"}}))
	var firsts, paid []string
	for i := range n {
		order := fmt.Sprint("ORD-", i)
		r := gatewaytest.Request(order, "10.00")
		switch i % 5 {
		case 0: // nobody pays
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
			kit.ComeBack(t, kit.Pay(t, kit.SessionOf(t, r), gatewaytest.ThreeDSPasses).Next)
			paid = append(paid, order)
		}
	}
	kit.Work(t)
	fifth := n / 5
	all := map[string]int{"w": n, "s": n, "ct": fifth, "ch": fifth, "p": 4 * fifth, "t": 4 * fifth, "o": 4 * fifth, "hs": 4 * fifth, "cb": 5 * fifth, "lm": 1, "m": 1, "md": 2, "mk": 2}
	require.Equal(t, all, counted(t, kit.Store))
	kit.Clock.Set(kit.Clock.Now().Add(aDay))
	kit.Work(t)
	delete(all, "w")
	require.Equal(t, all, counted(t, kit.Store))
	kit.Clock.Set(kit.Clock.Now().Add(91 * aDay))
	kit.Work(t)
	delete(all, "s")
	delete(all, "lm")
	delete(all, "cb")
	require.Equal(t, all, counted(t, kit.Store))

	for i, order := range paid[:10] {
		p := kit.Payment(t, order)
		require.Equal(t, store.Settled, p.Status)
		_, err := kit.CreditVoid(t.Context(), of(p, "1.00"))
		require.NoError(t, err)
		if p.CardToken != "" {
			charged(t, kit, fmt.Sprint("AGAIN-", i), methods.Card{}, byToken(p.CardToken))
		}
		require.Equal(t, store.Settled, recurred(t, kit, later(kit.Payment(t, firsts[i]), fmt.Sprint("MONTH-", i))).Payment.Status)
		_, err = kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID, Reason: "10.4 Fraud"})
		require.NoError(t, err)
	}
	kit.Work(t)
	for _, p := range read(t, kit).payments {
		list, err := kit.Callbacks(t.Context(), p.ID)
		require.NoError(t, err)
		require.LessOrEqual(t, len(list), p.Callbacks)
		for _, c := range list {
			require.Equal(t, store.CallbackDelivered, c.State)
		}
	}
	kit.Clock.Set(date("2038-05-01"))
	kit.Work(t)
	require.Zero(t, counted(t, kit.Store)["ct"])
	require.Equal(t, fifth, counted(t, kit.Store)["ch"])
}
