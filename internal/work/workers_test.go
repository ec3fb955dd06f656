package work_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// full lets work in and holds it until it is released, and counts how much is inside.
type full struct {
	mu           sync.Mutex
	inside, most int
	released     chan struct{}
}

func (f *full) hold() {
	f.mu.Lock()
	f.inside++
	f.most = max(f.most, f.inside)
	f.mu.Unlock()
	<-f.released
	f.mu.Lock()
	f.inside--
	f.mu.Unlock()
}

func (f *full) reached() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.most
}

// holdingNotifier and holdingConnector hold what they are asked.
type holdingNotifier struct {
	callback.Notifier
	*full
}

func (h holdingNotifier) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	h.hold()
	return h.Notifier.Deliver(ctx, d)
}

// party is the n-th merchant, with an acquirer and a server of its own, so that none has a share of another's workers.
func party(t *testing.T, kit *gatewaytest.Kit, n int) (key string) {
	t.Helper()
	name := fmt.Sprint("party-", n)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{ID: name, Key: name,
		Password: store.NewSecret("password-of-a-" + name), NotificationURL: "https://" + name + ".example/callback"}))
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: name, MerchantID: name, Connector: name}))
	return name
}

// subscribe begins a chain whose next payment is due a day later.
func subscribe(t *testing.T, kit *gatewaytest.Kit, key, order string) {
	t.Helper()
	set, err := kit.Merchant(key).CreateSchedule(t.Context(), kerneltest.EveryDays(1, 2))
	require.NoError(t, err)
	kerneltest.Charged(t, kit.As(key), order, gatewaytest.Settles, kerneltest.OnSchedule(set))
}

// holdCalls holds the calls of every acquirer that ask for a power.
func holdCalls(cfg *gateway.Config, power methods.Power, f *full) {
	for name, acquirer := range cfg.Connectors {
		cfg.Connectors[name] = methods.Wrap(acquirer, func(ctx context.Context, call methods.Call,
			next func(context.Context) methods.Answer) methods.Answer {
			if call.Power == power {
				f.hold()
			}
			return next(ctx)
		})
	}
}

// requireHeld requires that a gateway that runs has so many items under way, and no more, until it is stopped.
func requireHeld(t *testing.T, busy *gatewaytest.Kit, f *full, n int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- busy.Run(ctx) }()
	require.Eventually(t, func() bool { return f.reached() == n }, kerneltest.Patience, time.Millisecond)
	for range 1000 {
		runtime.Gosched() // for one more than there may be
	}
	require.Equal(t, n, f.reached())
	close(f.released)
	cancel()
	require.NoError(t, <-ended)
	require.Equal(t, n, f.reached())
}

// Run has the workers of Config.Workers, and no more.
func TestWorkersAreConfigured(t *testing.T) {
	t.Parallel()
	const parties = 6
	for name, c := range map[string]struct {
		workers func(n int) gateway.Workers
		begin   func(t *testing.T, kit *gatewaytest.Kit, key string)
		held    methods.Power // of the acquirer; empty: of the notifier
	}{
		"callbacks": {func(n int) gateway.Workers { return gateway.Workers{Callbacks: n} },
			func(t *testing.T, kit *gatewaytest.Kit, key string) {
				kerneltest.Charged(t, kit.As(key), key, gatewaytest.Settles)
			}, ""},
		"recovery": {func(n int) gateway.Workers { return gateway.Workers{Recovery: n} },
			func(t *testing.T, kit *gatewaytest.Kit, key string) {
				kit.Vcard.On(key, vcard.UnknownAfter())
				require.False(t, kerneltest.Charged(t, kit.As(key), key, gatewaytest.Settles).Transaction.Outcome.Final())
			}, methods.Finds},
		"schedules": {func(n int) gateway.Workers { return gateway.Workers{Schedules: n} },
			func(t *testing.T, kit *gatewaytest.Kit, key string) { subscribe(t, kit, key, key) }, methods.Performs},
	} {
		for _, n := range []int{1, 3} {
			t.Run(fmt.Sprint(name, " ", n), func(t *testing.T) {
				t.Parallel()
				kit := kerneltest.Audited(t, func(cfg *gateway.Config) {
					for i := range parties {
						cfg.Connectors[fmt.Sprint("party-", i)] = cfg.Connectors["vcard"]
					}
				})
				for i := range parties {
					c.begin(t, kit, party(t, kit, i))
				}
				f := &full{released: make(chan struct{})}
				busy := kit.Twin(t, func(cfg *gateway.Config) {
					cfg.Workers = c.workers(n)
					if c.held == "" {
						cfg.Notifier = holdingNotifier{cfg.Notifier, f}
						return
					}
					holdCalls(cfg, c.held, f)
				})
				kit.Clock.Set(kit.Clock.Now().Add(25 * time.Hour))
				requireHeld(t, busy, f, n)
			})
		}
	}
}

// A merchant has a quarter of the workers for callbacks that are configured, and not of those that are usual.
func TestQuarterOfConfiguredWorkers(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t, func(cfg *gateway.Config) { cfg.Connectors["party-0"] = cfg.Connectors["vcard"] })
	key := party(t, kit, 0)
	for i := range 6 {
		kerneltest.Charged(t, kit.As(key), fmt.Sprint("ORD-", i), gatewaytest.Settles)
	}
	f := &full{released: make(chan struct{})}
	busy := kit.Twin(t, func(cfg *gateway.Config) {
		cfg.Workers, cfg.Notifier = gateway.Workers{Callbacks: 8}, holdingNotifier{cfg.Notifier, f}
	})
	requireHeld(t, busy, f, 2)
}

// Without a number of its host a gateway has 128 workers for scheduled payments, and one merchant a quarter of them.
func TestUsualWorkersOfSchedules(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t, func(cfg *gateway.Config) { cfg.Connectors["party-0"] = cfg.Connectors["vcard"] })
	key := party(t, kit, 0)
	for i := range 36 {
		subscribe(t, kit, key, fmt.Sprint("ORD-", i))
	}
	f := &full{released: make(chan struct{})}
	busy := kit.Twin(t, func(cfg *gateway.Config) { holdCalls(cfg, methods.Performs, f) })
	kit.Clock.Set(kit.Clock.Now().Add(25 * time.Hour))
	requireHeld(t, busy, f, 32)
}

// Run of a closed gateway says so, and numbers of workers that cannot be are refused.
func TestRunAndWorkersOfAHost(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.Close(t.Context()))
	require.ErrorIs(t, kit.Run(t.Context()), gateway.ErrUnavailable)
	for _, w := range []gateway.Workers{{Callbacks: -1}, {Recovery: -1}, {Schedules: 10_001}} {
		_, err := gateway.New(gateway.Config{Workers: w})
		require.ErrorContains(t, err, "Config.Workers must be within 0..10000")
	}
}
