package gateway_test

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// An unusable id fails the request that needed it, with a clear text in the log and nothing stored, in every
// request that makes a record. It never panics, whatever the host returns.
func TestNewIDIsChecked(t *testing.T) {
	t.Parallel()
	doors := []struct {
		name string
		open func(t *testing.T, kit *gatewaytest.Kit, before *gateway.Result) error
	}{
		{"session", func(t *testing.T, kit *gatewaytest.Kit, _ *gateway.Result) error {
			_, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-2", "10.00"))
			return err
		}},
		{"charge", func(t *testing.T, kit *gatewaytest.Kit, _ *gateway.Result) error {
			_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-2", gatewaytest.Settles))
			return err
		}},
		{"later payment", func(t *testing.T, kit *gatewaytest.Kit, first *gateway.Result) error {
			_, err := kit.Shop().Recur(t.Context(), kerneltest.LaterOf(first.Payment, "ORD-2"))
			return err
		}},
		{"refund", func(t *testing.T, kit *gatewaytest.Kit, first *gateway.Result) error {
			_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(first.Payment, "1.00"))
			return err
		}},
		{"schedule", func(t *testing.T, kit *gatewaytest.Kit, _ *gateway.Result) error {
			_, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(1, 1))
			return err
		}},
	}
	for _, c := range []struct{ name, id, says string }{
		{"empty", "", "it is empty"},
		{"too long", strings.Repeat("a", 65), "it is longer than 64 bytes"},
		{"huge", strings.Repeat("a", 2<<20), "it is longer than 64 bytes"},
		{"slash", "a/b", "only A to Z"},
		{"NUL", "a\x00b", "only A to Z"},
		{"space", "a b", "only A to Z"},
		{"letters of another script", "é1", "only A to Z"},
		{"no text", "\xff", "only A to Z"},
		{"line end", "a\n", "only A to Z"},
		{"twice", "one-and-the-same", "twice"},
	} {
		for _, door := range doors {
			t.Run(c.name+"/"+door.name, func(t *testing.T) {
				t.Parallel()
				var log bytes.Buffer
				good, bad := kerneltest.IDsNumbered("id-%d", 1), atomic.Bool{}
				kit := gatewaytest.New(t, kerneltest.IDsBy(func() string {
					if bad.Load() {
						return c.id
					}
					return good()
				}), func(cfg *gateway.Config) { cfg.Log = slog.New(slog.NewTextHandler(&log, nil)) })
				first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain)
				kit.Work(t)
				bad.Store(true)
				if c.name == "twice" { // the first of the two is valid
					_, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(1, 1))
					require.NoError(t, err)
				}
				before := kerneltest.EveryKey(t, kit.Store)
				err := door.open(t, kit, first)
				require.ErrorIs(t, kit.Logged(t.Context(), err), gateway.ErrInternal)
				require.Contains(t, log.String(), "Config.NewID")
				require.Contains(t, log.String(), c.says)
				require.Less(t, log.Len(), 1000, "however long the answer is")
				require.Equal(t, before, kerneltest.EveryKey(t, kit.Store))
			})
		}
	}
}

// Short, odd and sequential ids work as well as the default ones.
func TestNewIDOfTheHost(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"%d", "%010d", "%064d", "A~b.C_d-%d", "..%d"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, kerneltest.IDsBy(kerneltest.IDsNumbered(format, 1)))
			next := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.ThreeDSPasses)
			kit.ComeBack(t, next.Redirect)
			first := kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles, kerneltest.BeginsChain).Payment
			kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-3"))
			_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(first, "1.00"))
			require.NoError(t, err)
			set, _ := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(1, 2))
			kit.Advance(t, 3*kerneltest.Day)
			require.NotEmpty(t, set.ID)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			require.Len(t, kerneltest.FormsOf(t, kit, "ORD-1"), 2)
		})
	}
}

// An id that a transaction of the payment has already is no id of another one: nothing takes its place.
func TestNewIDOfATransactionThatExists(t *testing.T) {
	t.Parallel()
	later := func(t *testing.T, kit *gatewaytest.Kit) store.Payment {
		first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
		kit.Vcard.Next(vcard.SoftDecline("No funds"))
		return kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2")).Payment
	}
	charged := func(change ...func(*gateway.ChargeRequest)) func(*testing.T, *gatewaytest.Kit) store.Payment {
		return func(t *testing.T, kit *gatewaytest.Kit) store.Payment {
			return kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, change...).Payment
		}
	}
	follow := func(ask func(gateway.Merchant, context.Context, gateway.FollowUp) (*gateway.Result, error),
	) func(*testing.T, *gatewaytest.Kit, store.Payment) error {
		return func(t *testing.T, kit *gatewaytest.Kit, p store.Payment) error {
			_, err := ask(kit.Shop(), t.Context(), kerneltest.FollowUpOf(p, ""))
			return err
		}
	}
	for _, door := range []struct {
		name  string
		begin func(*testing.T, *gatewaytest.Kit) store.Payment
		ask   func(*testing.T, *gatewaytest.Kit, store.Payment) error
	}{
		{"refund", charged(), follow(gateway.Merchant.CreditVoid)},
		{"void", charged(), follow(gateway.Merchant.Void)},
		{"capture", charged(kerneltest.Held), follow(gateway.Merchant.Capture)},
		{"reversal", charged(kerneltest.Held), follow(gateway.Merchant.CreditVoid)},
		{"retry", later, follow(gateway.Merchant.Retry)},
		{"dispute", charged(), func(t *testing.T, kit *gatewaytest.Kit, p store.Payment) error {
			_, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID})
			return err
		}},
	} {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			good, again := kerneltest.IDsNumbered("id-%d", 1), atomic.Pointer[string]{}
			kit := gatewaytest.New(t, kerneltest.IDsBy(func() string {
				if id := again.Load(); id != nil {
					return *id
				}
				return good()
			}))
			p := kit.Payment(t, door.begin(t, kit).Order.Number)
			_, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(1, 1)) // with an id between
			require.NoError(t, err)
			again.Store(&p.Transactions[0].ID)
			calls := len(kit.Charges(t))
			require.ErrorIs(t, door.ask(t, kit, p), store.ErrExists)
			require.Equal(t, p, kit.Payment(t, p.Order.Number), "as it was")
			require.Len(t, kit.Charges(t), calls, "the acquirer is not called")
		})
	}
}

// finer finds a stored time that is finer than microseconds, or in another zone than UTC.
var finer = regexp.MustCompile(`\d\d:\d\d:\d\d(\.\d{7,}|[.\d]*[+-])`)

// Records have times in microseconds of UTC, whatever the clock returns, and so have results.
func TestTimesOfRecords(t *testing.T) {
	t.Parallel()
	require.Regexp(t, finer, `"2027-03-10T12:00:00.1234567Z"`)
	require.Regexp(t, finer, `"2027-03-10T12:00:00.12+05:30"`)
	require.NotRegexp(t, finer, `"2027-03-10T12:00:00.123456Z"`)
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		zone, now := time.FixedZone("", 19800), cfg.Now
		cfg.Now = func() time.Time { return now().Add(123_456_789).In(zone) }
	})
	next := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.ThreeDSPasses)
	kit.ComeBack(t, next.Redirect)
	_, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(1, 2))
	kit.Advance(t, 3*kerneltest.Day)
	r, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(first, "1.00"))
	require.NoError(t, err)
	require.Equal(t, 123_456*time.Microsecond, time.Duration(r.Payment.UpdatedAt.Nanosecond()))
	_, err = kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: kit.Payment(t, "ORD-1").ID})
	require.NoError(t, err)
	require.NoError(t, kit.Store.View(t.Context(), func(in store.Reader) error {
		for entry := range in.Scan(store.Range{Limit: kerneltest.Everything}) {
			require.NotRegexp(t, finer, string(entry.Value), "%q", entry.Key)
		}
		return nil
	}))
}
