package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
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
	for _, prefix := range []string{"w", "wr", "lm", "ct", "s", "p", "t", "o", "ot", "cb", "ch", "sc", "sk", "hs", "m", "md", "mk", "qr", "qc", "qh"} {
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
		Limits: store.Limits{Day: "100.00", Week: "100.00", Month: "100.00"}}))
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

// What must not go, however old it is.
func TestPurgeKeeps(t *testing.T) {
	t.Parallel()
	unsure := func(t *testing.T, kit *gatewaytest.Kit) {
		kit.Vcard.On("ORD-1", vcard.UnknownAfter())
		kit.Vcard.Script(vcard.Script{Call: vcard.CallFind, For: "ORD-1", Outcomes: slices.Repeat([]vcard.Outcome{vcard.UnknownBefore()}, 500)})
	}
	for _, c := range []struct {
		name   string
		make   func(t *testing.T, kit *gatewaytest.Kit)
		change []gatewaytest.Option
		stays  []string // prefixes
	}{
		{"session whose attempt is in doubt", func(t *testing.T, kit *gatewaytest.Kit) {
			unsure(t, kit)
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
		}, nil, []string{"s", "p", "t", "o"}},
		{"payment in doubt", func(t *testing.T, kit *gatewaytest.Kit) {
			unsure(t, kit)
			charged(t, kit, "ORD-1", gatewaytest.Settles)
		}, nil, []string{"p", "t", "o"}},
		{"refund in doubt", func(t *testing.T, kit *gatewaytest.Kit) {
			p := pay(t, kit, "ORD-1", gatewaytest.Settles)
			unsure(t, kit)
			_, err := kit.CreditVoid(t.Context(), of(p, "4.00"))
			require.NoError(t, err)
		}, nil, []string{"p", "t", "o", "cb"}},
		{"session and payment under review", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
			edit(t, kit, transactionTable, kit.Payment(t, "ORD-1").Transactions[0], func(tr *store.Transaction) { tr.Review = "closed as fail, later told approved" })
		}, nil, []string{"s", "p", "t", "o", "cb"}},
		{"held payment", func(t *testing.T, kit *gatewaytest.Kit) { charged(t, kit, "ORD-1", gatewaytest.Settles, held) }, nil, []string{"p", "t", "o", "cb"}},
		{"first payment of a chain", func(t *testing.T, kit *gatewaytest.Kit) { charged(t, kit, "ORD-1", gatewaytest.Settles, inits) }, nil, []string{"p", "t", "o", "cb", "ch"}},
		{"first payment of a chain on a schedule", func(t *testing.T, kit *gatewaytest.Kit) {
			set, _ := subscribed(t, kit, days(1, 1))
			require.NoError(t, kit.PauseSchedule(t.Context(), gatewaytest.MerchantKey, set.ID))
		}, nil, []string{"p", "t", "o", "cb", "ch", "sc", "sk"}},
		{"payment whose session stays", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
		}, []gatewaytest.Option{func(c *gateway.Config) { c.Retention.Sessions = 200 * 365 * aDay }}, []string{"s", "p", "t", "o", "cb"}},
		{"payment with a callback to deliver", func(t *testing.T, kit *gatewaytest.Kit) {
			charged(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Work(t)
			id := callback.ID(kit.Payment(t, "ORD-1").ID, 1)
			edit(t, kit, callbackTable, id, func(c *store.Callback) { c.State, c.Due = store.CallbackDue, kit.Clock.Now().AddDate(90, 0, 0) })
		}, nil, []string{"p", "t", "o", "cb"}},
		{"session whose payment may be tried again", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Declines)
			edit(t, kit, paymentTable, kit.Payment(t, "ORD-1").ID, func(p *store.Payment) { p.RecurringInitID, p.RecurringToken = "first", "chain" })
		}, nil, []string{"s", "p", "t", "o", "cb"}},
		{"session whose payment may be completed", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Declines)
			edit(t, kit, paymentTable, kit.Payment(t, "ORD-1").ID, func(p *store.Payment) { p.Kind, p.Status = store.Debit, store.Prepare })
		}, nil, []string{"s", "p", "t", "o", "cb"}},
		{"card token without an expiry", func(t *testing.T, kit *gatewaytest.Kit) {
			tokenOf(t, kit, "ORD-1", gatewaytest.Settles)
			value := rawOf(t, kit, keysUnder(t, kit.Store, "ct")[0])
			value = bytes.Replace(value, []byte("01/2038"), nil, 1)
			raw(t, kit.Store, string(value), "ct", "another")
		}, nil, []string{"ct"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, append(c.change, keeps(gateway.MinPayments))...)
			c.make(t, kit)
			lapAt(t, kit, kit.Clock.Now().AddDate(80, 0, 0))
			left := counted(t, kit.Store)
			for _, prefix := range c.stays {
				require.Positive(t, left[prefix], prefix)
			}
			if !slices.Contains(c.stays, "s") {
				require.Zero(t, left["s"])
			}
			require.Zero(t, left["w"], "the lap was made")
		})
	}
}

func rawOf(t testing.TB, kit *gatewaytest.Kit, key string) (value []byte) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) (err error) {
		value, err = r.Get([]byte(key))
		return err
	}))
	return value
}

// edit changes a record behind the gateway's back.
func edit[T any](t testing.TB, kit *gatewaytest.Kit, table store.Table[T], id string, change func(*T)) {
	t.Helper()
	require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
		record, err := table.Get(tx, id)
		if err != nil {
			return err
		}
		change(&record)
		return table.Put(tx, record, id)
	}))
}

// Payments stay for ever unless the host says otherwise.
func TestPurgeKeepsPaymentsByDefault(t *testing.T) {
	t.Parallel()
	kit := audited(t)
	p := pay(t, kit, "ORD-1", gatewaytest.Settles)
	lapAt(t, kit, kit.Clock.Now().AddDate(80, 0, 0))
	_, err := kit.CreditVoid(t.Context(), of(p, "4.00"))
	require.NoError(t, err)
	kit.Work(t)
	quiet(t, kit)
}

// Attempts of a cascade go in order, so that the first never leads to one that is gone.
func TestPurgeOfACascade(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, keeps(gateway.MinPayments))
	for n := range 3 {
		charged(t, kit, "ORD-1", gatewaytest.Settles)
		kit.Clock.Set(kit.Clock.Now().Add(time.Duration(n+1) * time.Minute))
	}
	kit.Work(t)
	start, all := kit.Clock.Now(), read(t, kit).payments
	for i, p := range all {
		edit(t, kit, paymentTable, p.ID, func(p *store.Payment) {
			if i > 0 {
				p.Cascade = all[0].ID
			}
			if i < 2 {
				p.Next = all[i+1].ID
			}
			if i == 0 {
				p.UpdatedAt = start.Add(10 * aDay)
			}
		})
	}
	lapAt(t, kit, start.Add(545*aDay))
	require.Len(t, keysUnder(t, kit.Store, "p"), 3)
	lapAt(t, kit, start.Add(550*aDay-time.Second))
	require.Len(t, keysUnder(t, kit.Store, "p"), 3)
	for i := range 3 { // one a lap at least
		lapAt(t, kit, start.Add(550*aDay))
		left := read(t, kit).payments
		require.LessOrEqual(t, len(left), 2-i)
		for _, p := range left {
			require.NotEqual(t, all[0].ID, p.ID)
		}
	}
}

// The errors of a token by its age: SPEC1 knows it, knows it as expired, and knows it no more.
func TestTokenBeforeAndAfterThePurge(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	otherMerchant(t, kit)
	token := tokenOf(t, kit, "ORD-1", gatewaytest.Settles)
	end := date("2038-02-01")
	for _, c := range []struct {
		name         string
		at           time.Time
		own, foreign error
	}{
		{"on the last day of its month", end.Add(-time.Second), nil, gateway.ErrCardTokenOwner},
		{"while that day lasts somewhere", end.Add(12*time.Hour - time.Second), nil, gateway.ErrCardTokenOwner},
		{"expired", end.Add(12 * time.Hour), gateway.ErrCardTokenExpired, gateway.ErrCardTokenOwner},
		{"expired for long", end.Add(31*aDay - time.Second), gateway.ErrCardTokenExpired, gateway.ErrCardTokenOwner},
		{"purged", end.Add(31 * aDay), gateway.ErrCardToken, gateway.ErrCardToken},
	} {
		lapAt(t, kit, c.at)
		_, err := kit.Charge(t.Context(), chargeOf("OWN "+c.name, methods.Card{}, byToken(token)))
		require.ErrorIs(t, err, c.own, c.name)
		_, err = kit.Charge(t.Context(), chargeOf("FOREIGN "+c.name, methods.Card{}, byToken(token), byOther))
		require.ErrorIs(t, err, c.foreign, c.name)
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
	limited(t, kit)
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
	all := map[string]int{"w": n, "s": n, "ct": fifth, "ch": fifth, "p": 4 * fifth, "t": 4 * fifth, "o": 4 * fifth, "cb": 5 * fifth, "lm": 1, "m": 1, "md": 2, "mk": 2}
	require.Equal(t, all, counted(t, kit.Store))
	kit.Clock.Set(kit.Clock.Now().Add(aDay))
	kit.Work(t)
	delete(all, "w")
	require.Equal(t, all, counted(t, kit.Store))
	kit.Clock.Set(kit.Clock.Now().Add(91 * aDay))
	kit.Work(t)
	delete(all, "s")
	delete(all, "lm")
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
		require.Len(t, list, p.Callbacks)
	}
	kit.Clock.Set(date("2038-05-01"))
	kit.Work(t)
	require.Zero(t, counted(t, kit.Store)["ct"])
	require.Equal(t, fifth, counted(t, kit.Store)["ch"])
}

// aged fills a store with n entries that are past their time and n that are not, of two rows.
func aged(t testing.TB, kit *gatewaytest.Kit, n int) (stay []string) {
	t.Helper()
	old, young := kit.Clock.Now().Add(-2*aDay), kit.Clock.Now()
	require.NoError(t, kit.Store.Update(context.Background(), func(tx store.Tx) error {
		for i := range n {
			for _, prefix := range []string{"w", "wr"} {
				stays := store.Key(prefix, "stays", fmt.Sprintf("%05d", i))
				stay = append(stay, string(stays))
				if err := tx.Put(stays, []byte(young.Format(time.RFC3339Nano))); err != nil {
					return err
				}
				if err := tx.Put(store.Key(prefix, "goes", fmt.Sprintf("%05d", i)), []byte(old.Format(time.RFC3339Nano))); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	slices.Sort(stay)
	return stay
}

func bothKeys(t testing.TB, s store.Store) (keys []string) {
	keys = append(keysUnder(t, s, "w"), keysUnder(t, s, "wr")...)
	slices.Sort(keys)
	return keys
}

// Whatever single call of the store fails, and wherever the sweeper dies, the next lap ends the work; and
// nothing else ever goes.
func TestPurgeEveryFault(t *testing.T) {
	t.Parallel()
	for _, s := range sabotage[:2] {
		for _, mode := range s.modes {
			t.Run(s.port+", "+mode, func(t *testing.T) {
				t.Parallel()
				for n := 1; ; n++ {
					require.Less(t, n, 200)
					kit := gatewaytest.On(t, memory.New())
					by := &saboteur{port: s.port, mode: mode, n: n}
					stay := aged(t, kit, 310) // several steps, each of several batches
					lapDue(t, kit)
					broken := kit.Twin(t, func(c *gateway.Config) { c.Store = brokenStore{kit.Store, by} })
					by.armed = true
					for range 10 {
						if done, _, err := broken.Tick(t.Context(), 100); err == nil && done == 0 {
							break
						}
					}
					left := bothKeys(t, kit.Store)
					require.Equal(t, stay, slices.DeleteFunc(left, func(key string) bool { return strings.Contains(key, "goes") }))
					healed := kit.Twin(t)
					healed.Advance(t, 30*time.Minute) // the lease of a step that died ends
					require.Equal(t, stay, bothKeys(t, kit.Store), "fault at call %d", n)
					if !by.fired {
						require.Greater(t, n, 10)
						return
					}
				}
			})
		}
	}
}

// A step that died is left alone until its lease ends; a limit of a Tick stops between two steps, and the
// next Tick goes on.
func TestPurgeBySteps(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	stay := aged(t, kit, 1000) // 4,000 entries: four steps, and one that finds the rest empty
	lapDue(t, kit)
	steps := 0
	for {
		before := len(bothKeys(t, kit.Store))
		done, next, err := kit.Tick(t.Context(), 1)
		require.NoError(t, err)
		if done == 0 {
			require.Equal(t, kit.Clock.Now().Add(aDay), next, "a day after the lap")
			break
		}
		steps++
		require.LessOrEqual(t, before-len(bothKeys(t, kit.Store)), 1000)
		if steps < 4 {
			require.False(t, next.After(kit.Clock.Now()), "the next step is due at once")
		}
	}
	require.Equal(t, 5, steps)
	require.Equal(t, stay, bothKeys(t, kit.Store))
}

// Two instances share a lap: each entry goes, none that stays does, and the lap ends.
func TestPurgeOnTwoInstances(t *testing.T) {
	t.Parallel()
	for round := range trials(t) {
		kit := audited(t)
		d := &duel{T: t, one: kit, two: kit.Twin(t), round: round}
		stay := aged(t, kit, 150)
		lapDue(t, kit)
		d.atOnce(tick(d, d.one), tick(d, d.two), tick(d, d.one), tick(d, d.two))
		d.one.Work(t)
		require.Equal(t, stay, bothKeys(t, kit.Store))
		_, next, err := kit.Tick(t.Context(), 10)
		require.NoError(t, err)
		require.Equal(t, kit.Clock.Now().Add(aDay), next)
	}
}

// An instance that was thought dead and was not moves nothing back.
func TestPurgeOvertaken(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	aged(t, kit, 600)
	lapDue(t, kit)
	hooked := &hookStore{Store: kit.Store}
	slow := kit.Twin(t, func(c *gateway.Config) { c.Store = hooked })
	hooked.after("pg", func() { // it has claimed its step
		kit.Clock.Set(kit.Clock.Now().Add(time.Hour))
		kit.Work(t)
	})
	_, _, err := slow.Tick(t.Context(), 1)
	require.NoError(t, err)
	require.True(t, hooked.fired)
	var at sweeperAt
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) (err error) {
		at, err = sweeperTable.Get(r)
		return err
	}))
	require.Empty(t, at.Prefix)
	require.Equal(t, kit.Clock.Now().Add(aDay), at.Due)
}

// hookStore does something in between: after the first write of a key, or before its n-th call.
type hookStore struct {
	store.Store
	mu     sync.Mutex
	prefix string
	n      int
	do     func()
	fired  bool
}

func (h *hookStore) after(prefix string, do func()) { h.prefix, h.do = prefix, do }
func (h *hookStore) before(n int, do func())        { h.n, h.do = n, do }
func (h *hookStore) View(ctx context.Context, fn func(store.Reader) error) error {
	h.call()
	return h.Store.View(ctx, fn)
}

func (h *hookStore) call() {
	h.mu.Lock()
	h.n--
	fire := h.prefix == "" && h.n == 0
	h.mu.Unlock()
	if fire {
		h.fired = true
		h.do()
	}
}

func (h *hookStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	h.call()
	wrote := false
	err := h.Store.Update(ctx, func(tx store.Tx) error {
		spy := &judgedTx{Tx: tx}
		err := fn(spy)
		for key := range spy.before {
			wrote = wrote || h.prefix != "" && strings.HasPrefix(key, string(store.Key(h.prefix)))
		}
		return err
	})
	if wrote && !h.fired {
		h.fired = true
		h.do()
	}
	return err
}

// Whatever happens to an entry between any two calls of the store, it is judged as it then stands.
func TestPurgeOfWhatChanges(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		kit := gatewaytest.New(t)
		aged(t, kit, 3)
		lapDue(t, kit)
		hooked := &hookStore{Store: kit.Store}
		slow := kit.Twin(t, func(c *gateway.Config) { c.Store = hooked })
		hooked.before(n, func() { raw(t, kit.Store, kit.Clock.Now().Format(time.RFC3339Nano), "w", "goes", "00001") })
		slow.Work(t)
		if !hooked.fired {
			require.Greater(t, n, 8)
			return
		}
		require.Contains(t, keysUnder(t, kit.Store, "w"), string(store.Key("w", "goes", "00001")), "changed before call %d", n)
		require.Len(t, keysUnder(t, kit.Store, "w"), 4)
	}
}

// A charge by a token that another instance, whose clock is ahead, is just deleting is refused by name, or is
// made whole.
func TestTokenUseWhilePurged(t *testing.T) {
	t.Parallel()
	for round := range 2 * trials(t) {
		kit := audited(t)
		token := tokenOf(t, kit, "ORD-1", gatewaytest.Settles)
		kit.Work(t)
		ahead := kit.Twin(t, func(c *gateway.Config) { c.Now = func() time.Time { return date("2038-03-04") } })
		lapDue(t, kit)
		d := &duel{T: t, one: kit, two: ahead, round: round}
		var err error
		d.atOnce(func() { _, err = kit.Charge(context.Background(), chargeOf("ORD-2", methods.Card{}, byToken(token))) }, tick(d, ahead))
		if err != nil {
			require.ErrorIs(t, err, gateway.ErrCardToken)
			require.Len(t, kit.Charges(t), 1)
			require.Len(t, keysUnder(t, kit.Store, "p"), 1)
		} else {
			kit.Clock.Set(date("2038-03-05"))
			kit.Work(t)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-2").Status)
		}
		require.Empty(t, keysUnder(t, kit.Store, "ct"))
		kit.Clock.Set(date("2038-03-06"))
		kit.Work(t)
		quiet(t, kit)
	}
}

// A record that cannot be judged stays, is told of, and holds up nobody.
func TestPurgeOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	kit := gatewaytest.New(t, func(c *gateway.Config) { c.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	raw(t, kit.Store, "yesterday", "w", "a", "b")
	raw(t, kit.Store, "soon", "wr", "a")
	raw(t, kit.Store, "1.00", "lm", "m", "x", "USD", "y", "2020")
	raw(t, kit.Store, "1.00", "lm")
	raw(t, kit.Store, "{}", "ct", "a")
	raw(t, kit.Store, `{"v":1,`, "s", "a")
	before := counted(t, kit.Store)
	aged(t, kit, 1)
	kit.Session(t, "ORD-1", "10.00")
	lapAt(t, kit, kit.Clock.Now().AddDate(80, 0, 0))
	require.Equal(t, before, counted(t, kit.Store))
	require.Equal(t, 6, strings.Count(log.String(), "the age of a record cannot be told"))
}

// The first lap begins a day after the store was first looked at, and one follows each day after; a lap over
// nothing costs little, and asks for no other time.
func TestPurgeOfNothing(t *testing.T) {
	t.Parallel()
	counter := &countedStore{Store: memory.New()}
	kit := gatewaytest.On(t, counter)
	_, next, err := kit.Tick(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, kit.Clock.Now().Add(aDay), next)
	kit.Clock.Set(next)
	before := counter.now()
	done, next, err := kit.Tick(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, done)
	require.Equal(t, kit.Clock.Now().Add(aDay), next)
	lap := counter.now()
	require.Equal(t, 2, lap.updates-before.updates, "the claim and the end")
	require.LessOrEqual(t, lap.views-before.views, 15)
	kit.Advance(t, 3*365*aDay)
	require.LessOrEqual(t, counter.now().updates, 2*3*366+20)
}

type calls struct{ views, updates int }

type countedStore struct {
	store.Store
	mu sync.Mutex
	calls
}

func (c *countedStore) now() calls {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}

func (c *countedStore) View(ctx context.Context, fn func(store.Reader) error) error {
	c.mu.Lock()
	c.views++
	c.mu.Unlock()
	return c.Store.View(ctx, fn)
}

func (c *countedStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	c.mu.Lock()
	c.updates++
	c.mu.Unlock()
	return c.Store.Update(ctx, fn)
}

// A place that this version does not know, as after an update of the program, ends the lap; the next one is whole.
func TestPurgeFromNowhere(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	stay := aged(t, kit, 2)
	require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
		return sweeperTable.Put(tx, sweeperAt{Prefix: "of old", Due: kit.Clock.Now()})
	}))
	kit.Work(t)
	require.Len(t, bothKeys(t, kit.Store), 8)
	kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
	lapDue(t, kit)
	kit.Work(t)
	require.Equal(t, stay, bothKeys(t, kit.Store))
}

func TestRetentionFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, field string
		change      func(*gateway.Retention)
	}{
		{"negative sessions", "Sessions must not be negative", func(r *gateway.Retention) { r.Sessions = -1 }},
		{"negative tokens", "Tokens must not be negative", func(r *gateway.Retention) { r.Tokens = -aDay }},
		{"negative payments", "Payments must not be negative", func(r *gateway.Retention) { r.Payments = -1 }},
		{"short tokens", "Tokens must be at least 24h", func(r *gateway.Retention) { r.Tokens = aDay - 1 }},
		{"short payments", "Payments must be at least 12960h", func(r *gateway.Retention) { r.Payments = gateway.MinPayments - 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := gateway.Config{Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: gatewaytest.PublicURL}
			c.change(&cfg.Retention)
			_, err := gateway.New(cfg)
			require.ErrorContains(t, err, "Config.Retention."+c.field)
		})
	}
	gatewaytest.New(t, func(c *gateway.Config) {
		c.Retention = gateway.Retention{Sessions: 1, Tokens: gateway.MinTokens, Payments: gateway.MinPayments}
	})
}
