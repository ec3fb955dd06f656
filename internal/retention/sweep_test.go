package retention_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A step whose instance died is left alone until its lease ends. The limit of a Tick stops between two steps, and
// the next Tick continues.
func TestPurgeBySteps(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	stay := kerneltest.FillAged(t, kit, 1000) // 4,000 entries: four steps, and one that finds the rest empty
	kerneltest.LapDue(t, kit)
	steps := 0
	for {
		before := len(kerneltest.AgedKeys(t, kit.Store))
		done, next, err := kit.Tick(t.Context(), 1)
		require.NoError(t, err)
		if done == 0 {
			require.Equal(t, kit.Clock.Now().Add(kerneltest.Day), next, "a day after the lap")
			break
		}
		steps++
		require.LessOrEqual(t, before-len(kerneltest.AgedKeys(t, kit.Store)), 1000)
		if steps < 4 {
			require.False(t, next.After(kit.Clock.Now()), "the next step is due at once")
		}
	}
	require.Equal(t, 5, steps)
	require.Equal(t, stay, kerneltest.AgedKeys(t, kit.Store))
}

// An instance that was thought dead moves nothing back.
func TestPurgeOvertaken(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.FillAged(t, kit, 600)
	kerneltest.LapDue(t, kit)
	hooked := &hookStore{Store: kit.Store}
	slow := kit.Twin(t, func(c *gateway.Config) { c.Store = hooked })
	hooked.after("pg", func() { // it has claimed its step
		kit.Clock.Set(kit.Clock.Now().Add(30 * time.Minute))
		kit.Work(t)
	})
	_, _, err := slow.Tick(t.Context(), 1)
	require.NoError(t, err)
	require.True(t, hooked.fired)
	var at kerneltest.SweeperAt
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) (err error) {
		at, err = kerneltest.Sweeper.Get(r)
		return err
	}))
	require.Empty(t, at.Prefix)
	require.Equal(t, kit.Clock.Now().Add(kerneltest.Day), at.Due)
}

// hookStore runs a function in between: after the first write of a key, or before its n-th call.
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
		spy := &kerneltest.JudgedTx{Tx: tx}
		err := fn(spy)
		for key := range spy.Before {
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

// If an entry changes between two calls of the store, it is judged as it is at the end.
func TestPurgeOfWhatChanges(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		kit := gatewaytest.New(t)
		kerneltest.FillAged(t, kit, 3)
		kerneltest.LapDue(t, kit)
		hooked := &hookStore{Store: kit.Store}
		slow := kit.Twin(t, func(c *gateway.Config) { c.Store = hooked })
		hooked.before(n, func() {
			kerneltest.PutRaw(t, kit.Store, kit.Clock.Now().Format(time.RFC3339Nano), "w", "goes", "00001")
		})
		slow.Work(t)
		if !hooked.fired {
			require.Greater(t, n, 8)
			return
		}
		require.Contains(t, kerneltest.KeysUnder(t, kit.Store, "w"), string(store.Key("w", "goes", "00001")),
			"changed before call %d", n)
		require.Len(t, kerneltest.KeysUnder(t, kit.Store, "w"), 4)
	}
}

// A record that cannot be judged stays, is reported, and does not block others.
func TestPurgeOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	kit := gatewaytest.New(t, func(c *gateway.Config) { c.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	kerneltest.PutRaw(t, kit.Store, "yesterday", "w", "a", "b")
	kerneltest.PutRaw(t, kit.Store, "soon", "wr", "a")
	kerneltest.PutRaw(t, kit.Store, "1.00", "lm", "m", "x", "USD", "y", "2020")
	kerneltest.PutRaw(t, kit.Store, "1.00", "lm")
	kerneltest.PutRaw(t, kit.Store, "{}", "ct", "a")
	kerneltest.PutRaw(t, kit.Store, `{"v":1,`, "s", "a")
	before := kerneltest.CountRecords(t, kit.Store)
	kerneltest.FillAged(t, kit, 1)
	kit.Session(t, "ORD-1", "10.00")
	kerneltest.LapAt(t, kit, kit.Clock.Now().AddDate(80, 0, 0))
	require.Equal(t, before, kerneltest.CountRecords(t, kit.Store))
	require.Equal(t, 6, strings.Count(log.String(), "set aside"), "each is reported")
	kerneltest.LapAt(t, kit, kit.Clock.Now().Add(2*kerneltest.Day))
	require.Equal(t, 6, strings.Count(log.String(), "set aside"), "once")
	list, err := kit.Operator().SetAside(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, list, 6)
}

// The first lap begins a day after the first claim, and then one begins each day. A lap over an empty
// store is cheap and schedules no other time.
func TestPurgeOfNothing(t *testing.T) {
	t.Parallel()
	counter := &countedStore{Store: memory.New()}
	kit := gatewaytest.On(t, counter)
	_, next, err := kit.Tick(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, kit.Clock.Now().Add(kerneltest.Day), next)
	kit.Clock.Set(next)
	before := counter.now()
	done, next, err := kit.Tick(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, done)
	require.Equal(t, kit.Clock.Now().Add(kerneltest.Day), next)
	lap := counter.now()
	require.Equal(t, 2, lap.updates-before.updates, "the claim and the end")
	require.LessOrEqual(t, lap.views-before.views, 15)
	kit.Advance(t, 3*365*kerneltest.Day)
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

// A position that this version does not know, as after an update of the program, ends the lap; the next one is
// complete.
func TestPurgeFromNowhere(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	stay := kerneltest.FillAged(t, kit, 2)
	require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
		return kerneltest.Sweeper.Put(tx, kerneltest.SweeperAt{Prefix: "of old", Due: kit.Clock.Now()})
	}))
	kit.Work(t)
	require.Len(t, kerneltest.AgedKeys(t, kit.Store), 8)
	kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
	kerneltest.LapDue(t, kit)
	kit.Work(t)
	require.Equal(t, stay, kerneltest.AgedKeys(t, kit.Store))
}

func TestRetentionFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, field string
		change      func(*gateway.Retention)
	}{
		{"negative sessions", "Sessions must not be negative", func(r *gateway.Retention) { r.Sessions = -1 }},
		{"negative tokens", "Tokens must not be negative", func(r *gateway.Retention) { r.Tokens = -kerneltest.Day }},
		{"negative payments", "Payments must not be negative", func(r *gateway.Retention) { r.Payments = -1 }},
		{"short tokens", "Tokens must be at least 24h", func(r *gateway.Retention) { r.Tokens = kerneltest.Day - 1 }},
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
