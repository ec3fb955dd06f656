package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// onStore gives a gateway the store itself, without the wrappers of tests, so that all of its interfaces are used.
func onStore(s store.Store) gatewaytest.Option { return func(c *gateway.Config) { c.Store = s } }

// twoGateways returns two instances of a gateway on the shared server, each with a store of its own.
func twoGateways(t testing.TB, options ...gatewaytest.Option) (one, two *gatewaytest.Kit) {
	t.Helper()
	return lend(t).gateways(t, options...)
}

// twoGatewaysOn is twoGateways with the stores of a config.
func twoGatewaysOn(t testing.TB, cfg postgres.Config, options ...gatewaytest.Option) (one, two *gatewaytest.Kit) {
	t.Helper()
	var stores pair
	for i := range stores {
		var err error
		stores[i], err = postgres.Open(t.Context(), cfg)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, stores[i].Close()) })
	}
	return stores.gateways(t, options...)
}

func (p pair) gateways(t testing.TB, options ...gatewaytest.Option) (one, two *gatewaytest.Kit) {
	t.Helper()
	one = gatewaytest.On(t, p[0], append(options, onStore(p[0]))...)
	return one, one.Twin(t, onStore(p[1]))
}

// TestSale: a sale is made by one instance, refunded by the other, and told to the merchant by whichever comes first.
func TestSale(t *testing.T) {
	t.Parallel()
	one, two := twoGateways(t)
	paid := kerneltest.Charged(t, one, "ORD-1", gatewaytest.Settles).Payment
	require.Equal(t, store.Settled, paid.Status)
	seen := two.Payment(t, "ORD-1")
	require.Equal(t, store.Settled, seen.Status)
	_, err := kerneltest.Step{What: "refund", Amount: "4.00"}.Run(t.Context(), two, seen)
	require.NoError(t, err)
	two.Advance(t, time.Hour)
	require.Equal(t, "4.00", one.Payment(t, "ORD-1").Refunded.String())
	one.Advance(t, 72*time.Hour)
	kerneltest.Quiet(t, one)
}

// TestSalesUnderBlows: two gateways sell while the server is killed. Each order is asked for by both at the same time,
// and again until it is answered. When all is quiet the acquirer's books have each order once, and the audit is clean.
// TOLLGATE_PG_KILLS=200 kills so often.
func TestSalesUnderBlows(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	one, two := twoGatewaysOn(t, postgres.Config{URL: server.URL(), Connections: 8, Patience: time.Minute})
	kits := []*gatewaytest.Kit{one, two}
	var stop atomic.Bool
	var answered, orders atomic.Int64
	var selling sync.WaitGroup
	for seller := range 4 {
		selling.Go(func() {
			for n := 0; !stop.Load(); n++ {
				order := fmt.Sprintf("ORD-%d-%d", seller, n)
				orders.Add(1)
				var both sync.WaitGroup
				for _, kit := range kits {
					both.Go(func() {
						_, err := kit.Shop().Charge(context.Background(), kerneltest.ChargeOf(order, gatewaytest.Settles))
						switch {
						case err == nil:
							answered.Add(1)
						case errors.Is(gateway.AsError(err), gateway.ErrInternal):
							t.Errorf("%s: %v", order, err)
						}
					})
				}
				both.Wait()
			}
		})
	}
	kills := rounds(t, "TOLLGATE_PG_KILLS", 4)
	for range kills {
		before := answered.Load()
		require.Eventually(t, func() bool { return answered.Load() > before+4 }, time.Minute, time.Millisecond)
		require.NoError(t, server.Kill())
		require.NoError(t, server.Start(nil))
	}
	stop.Store(true)
	selling.Wait()
	one.Advance(t, 72*time.Hour)
	kerneltest.Quiet(t, two)
	charged := map[string]int{}
	for _, entry := range one.Charges(t) {
		charged[entry.Order] += entry.Effects
	}
	for order, times := range charged {
		require.Equal(t, 1, times, order)
	}
	require.GreaterOrEqual(t, int64(len(charged)), answered.Load(), "an answered sale was not charged")
	t.Logf("kills=%d orders=%d answered=%d charged=%d twice=0 lost=0",
		kills, orders.Load(), answered.Load(), len(charged))
}

// TestRaces runs the pairs of internal/race on two instances, each with a store of its own: the same tests, with the
// list of stores that this module replaces. TestApart there shows that they find instances which share one.
// TOLLGATE_TRIALS=1000 asks for more trials of each way in which a pair meets, TOLLGATE_PAIRS for the pairs whose names
// it matches, and TOLLGATE_NEAR=1 for races that are the only part of a trial on the server:
//
//	TOLLGATE_NEAR=1 TOLLGATE_TRIALS=10000 TOLLGATE_PAIRS='^sale_x_sale' go test -run TestRaces -v .
func TestRaces(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the tests of another package")
	}
	chosen := os.Getenv("TOLLGATE_PAIRS")
	out := overlaid(t, "internal/race/more_test.go", "race/more_test.go", []string{"TOLLGATE_RACE_URL=" + shared.URL(),
		"TOLLGATE_SHARE=1", "TOLLGATE_TRIALS=" + strconv.Itoa(rounds(t, "TOLLGATE_TRIALS", 10))},
		"-parallel=4", "-run=^TestPairs$/^postgres$/"+chosen)
	told := regexp.MustCompile(`races: .*trials\w*=[1-9]\d* at_once=[1-9]\d* violations=0`).FindAllString(out, -1)
	require.NotEmpty(t, told)
	if chosen == "" {
		require.Contains(t, told[len(told)-1], "races: store=postgres pairs=18 ")
	}
	for _, line := range told {
		t.Log(line)
	}
}
