package delivery_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Where callbacks go (callbacks.md, "Target URL").
const (
	ownURL = "https://shop.example/own"
	sink   = "queue:orders"
)

// heardAt lists the URLs that got callbacks, each once.
func heardAt(t *testing.T, kit *gatewaytest.Kit) (list []string) {
	t.Helper()
	kit.Work(t)
	for _, d := range kit.Inbox.All() {
		if !slices.Contains(list, d.URL) {
			list = append(list, d.URL)
		}
	}
	return list
}

// Callbacks of test payments go to the URL for test payments if there is one, on every protocol; those of live
// payments never do. A URL in the request wins.
func TestNotificationURLs(t *testing.T) {
	t.Parallel()
	pays := func(change ...func(*gateway.ChargeRequest)) func(*testing.T, *gatewaytest.Kit, string) {
		return func(t *testing.T, kit *gatewaytest.Kit, key string) {
			kerneltest.Charged(t, kit.As(key), "ORD-1", gatewaytest.Settles, change...)
		}
	}
	for _, door := range []struct {
		name string
		pay  func(t *testing.T, kit *gatewaytest.Kit, key string)
		own  bool // brings a URL
	}{
		{"page", func(t *testing.T, kit *gatewaytest.Kit, key string) {
			kit.Pay(t, kit.As(key).Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
		}, false},
		{"hosted fields", func(t *testing.T, kit *gatewaytest.Kit, key string) {
			r := kerneltest.HostedRequest("ORD-1")
			session, err := kit.Merchant(key).CreateHosted(t.Context(), r)
			require.NoError(t, err)
			require.NoError(t, kit.HostedFields().Collect(t.Context(), session.Token, gatewaytest.Settles))
			kerneltest.PayHosted(t, kit, session.Token)
		}, false},
		{"Go API", pays(), false},
		{"S2S CARD", pays(kerneltest.ViaCard), false},
		{"S2S CARD with callback_url", pays(kerneltest.ViaCard,
			func(r *gateway.ChargeRequest) { r.CallbackURL = ownURL }), true},
		{"S2S APM with callback_url", pays(kerneltest.ViaIPS,
			func(r *gateway.ChargeRequest) { r.CallbackURL = ownURL; r.Card = nil }, kerneltest.GoesBack), true},
		{"debit", pays(kerneltest.ViaCard,
			func(r *gateway.ChargeRequest) { r.Kind, r.Action = store.Debit, "DEBIT" }), false},
		{"later payment of a chain", func(t *testing.T, kit *gatewaytest.Kit, key string) {
			first := kerneltest.Charged(t, kit.As(key), "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
			kerneltest.Recurred(t, kit.As(key), kerneltest.LaterOf(first, "ORD-2"))
		}, false},
		{"scheduled payment", func(t *testing.T, kit *gatewaytest.Kit, key string) {
			set, err := kit.Merchant(key).CreateSchedule(t.Context(), kerneltest.EveryDays(7, 2))
			require.NoError(t, err)
			kerneltest.Charged(t, kit.As(key), "ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(set))
			kit.Advance(t, 30*kerneltest.Day)
			require.Len(t, kit.Charges(t), 3)
		}, false},
	} {
		for _, c := range []struct {
			name, key, live, test, want string
		}{
			{"live", gatewaytest.MerchantKey, kerneltest.LiveURL, kerneltest.TestURL, kerneltest.LiveURL},
			{"test", gatewaytest.TestKey, kerneltest.LiveURL, kerneltest.TestURL, kerneltest.TestURL},
			{"test, no URL for it", gatewaytest.TestKey, kerneltest.LiveURL, "", kerneltest.LiveURL},
			{"live, only a URL for tests", gatewaytest.MerchantKey, "", kerneltest.TestURL, ""},
			{"test, only a URL for it", gatewaytest.TestKey, "", kerneltest.TestURL, kerneltest.TestURL},
			{"live, to a sink", gatewaytest.MerchantKey, sink, kerneltest.TestURL, sink},
			{"test, to a sink", gatewaytest.TestKey, kerneltest.LiveURL, sink, sink},
		} {
			t.Run(door.name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t, withQueue)
				require.NoError(t, kit.SaveMerchant(t.Context(), kerneltest.MerchantNotifiedAt(c.live, c.test)))
				door.pay(t, kit, c.key)
				var want []string
				switch {
				case door.own:
					want = []string{ownURL}
				case c.want != "":
					want = []string{c.want}
				}
				require.Equal(t, want, heardAt(t, kit))
			})
		}
	}
}

// Callbacks of scheduled payments go to the URL that the first payment brought; otherwise to the merchant's current
// URL, or the one at that time.
func TestScheduledPaymentsKeepTheirURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		own          string
		before, then store.Merchant
		want         []string
	}{
		{"in the request, the merchant has one", ownURL, kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), []string{ownURL}},
		{"in the request, the merchant has none", ownURL, kerneltest.MerchantNotifiedAt("", ""), kerneltest.MerchantNotifiedAt("", ""), []string{ownURL}},
		{"in the request, the merchant changes its own", ownURL, kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), kerneltest.MerchantNotifiedAt(kerneltest.TestURL, ""), []string{ownURL}},
		{"the merchant's", "", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), []string{kerneltest.LiveURL}},
		{"the merchant moves", "", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), kerneltest.MerchantNotifiedAt(kerneltest.TestURL, ""), []string{kerneltest.LiveURL, kerneltest.TestURL}},
		{"the merchant has none now", "", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), kerneltest.MerchantNotifiedAt("", ""), []string{kerneltest.LiveURL}},
		{"the merchant has one now", "", kerneltest.MerchantNotifiedAt("", ""), kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), []string{kerneltest.LiveURL}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			require.NoError(t, kit.SaveMerchant(t.Context(), c.before))
			kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 2), kerneltest.ViaCard,
				func(r *gateway.ChargeRequest) { r.CallbackURL = c.own })
			kit.Work(t)
			first := len(kit.Inbox.All())
			require.NoError(t, kit.SaveMerchant(t.Context(), c.then))
			kit.Advance(t, 30*kerneltest.Day)
			require.Len(t, kit.Charges(t), 3)
			require.Len(t, kit.Inbox.All()[first:], 2)
			require.Equal(t, c.want, heardAt(t, kit))
		})
	}
}

// The callback of a later payment of a chain is sent once the first payment's was tried, whether the payment is
// requested or scheduled. It does not wait for a callback that will never be sent (decision bb).
func TestChainIsToldInOrder(t *testing.T) {
	t.Parallel()
	refuse := func(callback.Delivery) callback.Receipt {
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	}
	for _, c := range []struct {
		name   string
		before store.Merchant
		own    string // callback_url of the later payment
		change gatewaytest.Option
		first  func(t *testing.T, kit *gatewaytest.Kit)
		want   []string // order numbers of the callbacks sent at once, in this order
	}{
		{"nothing was sent yet", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), "", nil, nil, []string{"SUB-1", "SUB-2"}},
		{"to another URL", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), ownURL, nil, nil, []string{"SUB-1", "SUB-2"}},
		{"the first has no URL", kerneltest.MerchantNotifiedAt("", ""), ownURL, nil, nil, []string{"SUB-2"}},
		{"the first was delivered", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), "", nil, func(t *testing.T, kit *gatewaytest.Kit) { kit.Work(t) }, []string{"SUB-1", "SUB-2"}},
		{"the first was refused", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), "", nil, func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Inbox.Answer(refuse)
			kit.Work(t)
			kit.Inbox.Answer(nil)
		}, []string{"SUB-1", "SUB-2"}},
		{"the first is dead", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), "", func(c *gateway.Config) { c.Retry = callback.Schedule{} }, func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Inbox.Answer(refuse)
			kit.Work(t)
			kit.Inbox.Answer(nil)
		}, []string{"SUB-1", "SUB-2"}},
		{"the first was purged", kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, ""), "", func(c *gateway.Config) { c.Retention.Callbacks = time.Hour }, func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Work(t)
			kit.Advance(t, 3*kerneltest.Day)
			require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "cb"))
		}, []string{"SUB-1", "SUB-2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.change == nil {
				c.change = func(*gateway.Config) {}
			}
			kit := gatewaytest.New(t, c.change)
			require.NoError(t, kit.SaveMerchant(t.Context(), c.before))
			first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles, kerneltest.ViaCard, kerneltest.BeginsChain).Payment
			if c.first != nil {
				c.first(t, kit)
			}
			kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "SUB-2", func(r *gateway.RecurRequest) {
				r.Protocol, r.Action, r.CallbackURL = store.S2SCard, "RECURRING_SALE", c.own
			}))
			kit.Work(t)
			var got []string
			for _, form := range kit.Inbox.Fields(t) {
				got = append(got, form.Get("order_id"))
			}
			require.Equal(t, c.want, got)
		})
	}
}

// While the URL of the first payment is blocked, later callbacks of the chain wait, whatever their URL; they are
// sent when the block ends.
func TestChainWaitsForABlockedURL(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMerchant(t.Context(), kerneltest.MerchantNotifiedAt(kerneltest.LiveURL, "")))
	kit.Inbox.Answer(func(d callback.Delivery) callback.Receipt { return callback.Receipt{Verdict: callback.TimedOut} })
	for _, order := range []string{"A", "B", "C", "D", "E"} {
		kerneltest.Charged(t, kit, order, gatewaytest.Settles, kerneltest.ViaCard)
		kit.Work(t)
	}
	kit.Inbox.Answer(nil)
	before := len(kit.Inbox.All())
	first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles, kerneltest.ViaCard, kerneltest.BeginsChain).Payment
	kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "SUB-2", func(r *gateway.RecurRequest) {
		r.Protocol, r.Action, r.CallbackURL = store.S2SCard, "RECURRING_SALE", ownURL
	}))
	kit.Advance(t, 14*time.Minute)
	require.Len(t, kit.Inbox.All(), before)
	kit.Advance(t, time.Minute)
	var got []string
	for _, form := range kit.Inbox.Fields(t)[before:] {
		if order := form.Get("order_id"); len(order) > 1 {
			got = append(got, order)
		}
	}
	require.Equal(t, []string{"SUB-1", "SUB-2"}, got)
}
