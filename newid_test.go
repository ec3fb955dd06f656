package gateway_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// idsNumbered answers ids by a format of a number that grows from one.
func idsNumbered(format string, from int64) func() string {
	var n atomic.Int64
	n.Store(from - 1)
	return func() string { return fmt.Sprintf(format, n.Add(1)) }
}

func idsBy(newID func() string) gatewaytest.Option {
	return func(c *gateway.Config) { c.NewID = newID }
}

// An identifier that cannot be used fails what asked for it, with a clear text in the log and nothing stored, at
// every door that makes a record. It is no panic, whatever the host answers.
func TestNewIDIsChecked(t *testing.T) {
	t.Parallel()
	doors := []struct {
		name string
		open func(t *testing.T, kit *gatewaytest.Kit, before *gateway.Result) error
	}{
		{"session", func(t *testing.T, kit *gatewaytest.Kit, _ *gateway.Result) error {
			_, err := kit.CreateSession(t.Context(), gatewaytest.Request("ORD-2", "10.00"))
			return err
		}},
		{"charge", func(t *testing.T, kit *gatewaytest.Kit, _ *gateway.Result) error {
			_, err := kit.Charge(t.Context(), chargeOf("ORD-2", gatewaytest.Settles))
			return err
		}},
		{"later payment", func(t *testing.T, kit *gatewaytest.Kit, first *gateway.Result) error {
			_, err := kit.Recur(t.Context(), later(first.Payment, "ORD-2"))
			return err
		}},
		{"refund", func(t *testing.T, kit *gatewaytest.Kit, first *gateway.Result) error {
			_, err := kit.CreditVoid(t.Context(), of(first.Payment, "1.00"))
			return err
		}},
		{"schedule", func(t *testing.T, kit *gatewaytest.Kit, _ *gateway.Result) error {
			_, err := kit.CreateSchedule(t.Context(), gatewaytest.MerchantKey, days(1, 1))
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
				good, bad := idsNumbered("id-%d", 1), atomic.Bool{}
				kit := gatewaytest.New(t, idsBy(func() string {
					if bad.Load() {
						return c.id
					}
					return good()
				}), func(cfg *gateway.Config) { cfg.Log = slog.New(slog.NewTextHandler(&log, nil)) })
				first := charged(t, kit, "ORD-1", gatewaytest.Settles, inits)
				kit.Work(t)
				bad.Store(true)
				if c.name == "twice" { // the first of the two is good
					_, err := kit.CreateSchedule(t.Context(), gatewaytest.MerchantKey, days(1, 1))
					require.NoError(t, err)
				}
				before := everyKey(t, kit.Store)
				err := door.open(t, kit, first)
				require.ErrorIs(t, kit.Logged(t.Context(), err), gateway.ErrInternal)
				require.Contains(t, log.String(), "Config.NewID")
				require.Contains(t, log.String(), c.says)
				require.Less(t, log.Len(), 1000, "however long the answer is")
				require.Equal(t, before, everyKey(t, kit.Store))
			})
		}
	}
}

// Short, odd and sequential identifiers serve as well as those of the default.
func TestNewIDOfTheHost(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"%d", "%010d", "%064d", "A~b.C_d-%d", "..%d"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, idsBy(idsNumbered(format, 1)))
			turn := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.ThreeDSPasses)
			kit.ComeBack(t, turn.Next)
			first := charged(t, kit, "ORD-2", gatewaytest.Settles, inits).Payment
			recurred(t, kit, later(first, "ORD-3"))
			_, err := kit.CreditVoid(t.Context(), of(first, "1.00"))
			require.NoError(t, err)
			set, _ := subscribed(t, kit, days(1, 2))
			kit.Advance(t, 3*aDay)
			require.NotEmpty(t, set.ID)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			require.Len(t, told(t, kit, "ORD-1"), 2)
		})
	}
}

// everyKey is every key of a store.
func everyKey(t testing.TB, s store.Store) (keys []string) {
	t.Helper()
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: everything}) {
			require.NoError(t, entry.Err)
			keys = append(keys, string(entry.Key))
		}
		return nil
	}))
	return keys
}
