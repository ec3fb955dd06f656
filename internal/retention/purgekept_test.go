package retention_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Records that must stay, however old they are.
func TestPurgeKeeps(t *testing.T) {
	t.Parallel()
	unsure := func(t *testing.T, kit *gatewaytest.Kit) {
		kit.Vcard.On("ORD-1", vcard.UnknownAfter())
		kit.Vcard.Script(vcard.Script{Call: vcard.CallFind, For: "ORD-1",
			Outcomes: slices.Repeat([]vcard.Outcome{vcard.UnknownBefore()}, 500)})
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
		}, nil, []string{"s", "p", "o"}},
		{"payment in doubt", func(t *testing.T, kit *gatewaytest.Kit) {
			unsure(t, kit)
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
		}, nil, []string{"p", "o"}},
		{"refund in doubt", func(t *testing.T, kit *gatewaytest.Kit) {
			p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles)
			unsure(t, kit)
			_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
			require.NoError(t, err)
		}, nil, []string{"p", "o", "cb"}},
		{"session and payment under review", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
			edit(t, kit, kerneltest.Payments, kit.Payment(t, "ORD-1").ID,
				func(p *records.Payment) { p.Transactions[0].Review = "closed as fail, later reported as approved" })
		}, nil, []string{"s", "p", "o", "cb"}},
		{"held payment", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.Held)
		}, nil, []string{"p", "o", "cb"}},
		{"first payment of a chain", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain)
		},
			[]gatewaytest.Option{func(c *gateway.Config) { c.Retention.Chains = 200 * 365 * kerneltest.Day }}, []string{"p",
				"o", "cb", "ch"}},
		{"first payment of a chain on a schedule", func(t *testing.T, kit *gatewaytest.Kit) {
			set, _ := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(1, 1))
			require.NoError(t, kit.Shop().PauseSchedule(t.Context(), set.ID))
		}, nil, []string{"p", "o", "cb", "ch", "sc", "sk"}},
		{"payment whose session stays", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
		}, []gatewaytest.Option{func(c *gateway.Config) {
			c.Retention.Sessions = 200 * 365 * kerneltest.Day
		}}, []string{"s", "p", "o", "cb"}},
		{"payment with a callback to deliver", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Work(t)
			id := store.CallbackID(kit.Payment(t, "ORD-1").ID, 1)
			edit(t, kit, kerneltest.Callbacks, id,
				func(c *records.Callback) { c.State, c.Due = store.CallbackDue, kit.Clock.Now().AddDate(90, 0, 0) })
		}, nil, []string{"p", "o", "cb"}},
		{"session whose payment may be tried again", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Declines)
			edit(t, kit, kerneltest.Payments, kit.Payment(t, "ORD-1").ID,
				func(p *records.Payment) { p.RecurringInitID, p.RecurringToken = "first", "chain" })
		}, nil, []string{"s", "p", "o", "cb"}},
		{"session whose payment may be completed", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Declines)
			edit(t, kit, kerneltest.Payments, kit.Payment(t, "ORD-1").ID,
				func(p *records.Payment) { p.Kind, p.Status = store.Debit, store.Prepare })
		}, nil, []string{"s", "p", "o", "cb"}},
		{"card token without an expiry", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
			value := kerneltest.RawOf(t, kit, kerneltest.KeysUnder(t, kit.Store, "ct")[0])
			value = bytes.Replace(value, []byte("01/2038"), nil, 1)
			kerneltest.PutRaw(t, kit.Store, string(value), "ct", "another")
		}, nil, []string{"ct"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, append(c.change, kerneltest.KeepsPayments(gateway.MinPayments))...)
			c.make(t, kit)
			kerneltest.LapAt(t, kit, kit.Clock.Now().AddDate(80, 0, 0))
			left := kerneltest.CountRecords(t, kit.Store)
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

// edit changes a record directly in the store.
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

// Payments stay for ever unless the host sets an age.
func TestPurgeKeepsPaymentsByDefault(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles)
	kerneltest.LapAt(t, kit, kit.Clock.Now().AddDate(80, 0, 0))
	_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
	require.NoError(t, err)
	kit.Work(t)
	kerneltest.Quiet(t, kit)
}

// Attempts of a cascade are deleted in order, so that the first never leads to a deleted one.
func TestPurgeOfACascade(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, kerneltest.KeepsPayments(gateway.MinPayments))
	for n := range 3 {
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
		kit.Clock.Set(kit.Clock.Now().Add(time.Duration(n+1) * time.Minute))
	}
	kit.Work(t)
	start, all := kit.Clock.Now(), kerneltest.ReadBooks(t, kit).Payments
	for i, p := range all {
		edit(t, kit, kerneltest.Payments, p.ID, func(p *records.Payment) {
			if i > 0 {
				p.Cascade = all[0].ID
			}
			if i < 2 {
				p.Next = all[i+1].ID
			}
			if i == 0 {
				p.UpdatedAt = start.Add(10 * kerneltest.Day)
			}
		})
	}
	kerneltest.LapAt(t, kit, start.Add(545*kerneltest.Day))
	require.Len(t, kerneltest.KeysUnder(t, kit.Store, "p"), 3)
	kerneltest.LapAt(t, kit, start.Add(550*kerneltest.Day-time.Second))
	require.Len(t, kerneltest.KeysUnder(t, kit.Store, "p"), 3)
	for i := range 3 { // at least one per lap
		kerneltest.LapAt(t, kit, start.Add(550*kerneltest.Day))
		left := kerneltest.ReadBooks(t, kit).Payments
		require.LessOrEqual(t, len(left), 2-i)
		for _, p := range left {
			require.NotEqual(t, all[0].ID, p.ID)
		}
	}
}

// The errors of a token by its age: SPEC1 knows it, knows it as expired, and does not know it.
func TestTokenBeforeAndAfterThePurge(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.SaveOtherMerchant(t, kit)
	token := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
	end := kerneltest.Date("2038-02-01")
	for _, c := range []struct {
		name         string
		at           time.Time
		own, foreign error
	}{
		{"on the last day of its month", end.Add(-time.Second), nil, gateway.ErrCardTokenOwner},
		{"while that day lasts in some zone", end.Add(12*time.Hour - time.Second), nil, gateway.ErrCardTokenOwner},
		{"expired", end.Add(12 * time.Hour), gateway.ErrCardTokenExpired, gateway.ErrCardTokenOwner},
		{"expired for long", end.Add(31*kerneltest.Day - time.Second), gateway.ErrCardTokenExpired,
			gateway.ErrCardTokenOwner},
		{"purged", end.Add(31 * kerneltest.Day), gateway.ErrCardToken, gateway.ErrCardToken},
	} {
		kerneltest.LapAt(t, kit, c.at)
		_, err := kit.Shop().Charge(t.Context(),
			kerneltest.ChargeOf("OWN "+c.name, methods.Card{}, kerneltest.ByToken(token)))
		require.ErrorIs(t, err, c.own, c.name)
		_, err = kit.Merchant(kerneltest.OtherKey).Charge(t.Context(),
			kerneltest.ChargeOf("FOREIGN "+c.name, methods.Card{}, kerneltest.ByToken(token)))
		require.ErrorIs(t, err, c.foreign, c.name)
	}
}
