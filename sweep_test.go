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
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

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
		kit.Clock.Set(kit.Clock.Now().Add(30 * time.Minute))
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
		kit := audited(t, func(c *gateway.Config) { c.Retention.Callbacks = 10_000 * aDay }) // they are audited
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
	require.Equal(t, 6, strings.Count(log.String(), "set aside"), "each is told of")
	lapAt(t, kit, kit.Clock.Now().Add(2*aDay))
	require.Equal(t, 6, strings.Count(log.String(), "set aside"), "once")
	list, err := kit.SetAside(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, list, 6)
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
