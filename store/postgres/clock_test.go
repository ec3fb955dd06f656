package postgres_test

import (
	"bytes"
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// machines are the clocks of machines that are an hour apart, and go on together.
type machines struct {
	passed atomic.Int64
	stood  atomic.Pointer[time.Time]
}

func (m *machines) off(by time.Duration) func() time.Time {
	return func() time.Time {
		now := time.Now()
		if stood := m.stood.Load(); stood != nil {
			now = *stood
		}
		return now.Add(by + time.Duration(m.passed.Load()))
	}
}

// stand lets time pass by pass alone from now on.
func (m *machines) stand() {
	now := time.Now()
	m.stood.Store(&now)
}

func (m *machines) pass(d time.Duration) { m.passed.Add(int64(d)) }

// hourApart returns two stores on one schema, on machines whose clocks are two hours apart.
func hourApart(t *testing.T) (m *machines, ahead, behind *postgres.Store) {
	t.Helper()
	m = &machines{}
	cfg := postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 8}
	var both [2]*postgres.Store
	for i, by := range []time.Duration{time.Hour, -time.Hour} {
		var err error
		both[i], err = postgres.Open(t.Context(), cfg.On(m.off(by)))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, both[i].Close()) })
	}
	return m, both[0], both[1]
}

// Two instances tell the time of the database, whatever their machines say.
func TestOneClock(t *testing.T) {
	t.Parallel()
	m, ahead, behind := hourApart(t)
	const slack = 500 * time.Millisecond // of a machine that is busy
	for range 3 {
		for _, s := range []*postgres.Store{ahead, behind} {
			before := ask[time.Time](t, shared.URL(), "select clock_timestamp()")
			now := s.Now()
			after := ask[time.Time](t, shared.URL(), "select clock_timestamp()")
			require.WithinRange(t, now, before.Add(-slack), after.Add(slack))
			require.Equal(t, time.UTC, now.Location())
			require.NoError(t, s.Measure(t.Context()))
		}
	}
	require.NoError(t, ahead.Close())
	m.pass(time.Minute)
	require.WithinDuration(t, ahead.Now(), behind.Now(), slack, "a closed store still tells the time")
}

// apart runs a test on two gateways whose machines are two hours apart, and which both take the clock of the store:
// once with that of the first ahead, and once with that of the other.
func apart(t *testing.T, test func(t *testing.T, a *pairApart)) {
	t.Helper()
	for _, order := range []struct {
		name  string
		first int
	}{{"the first is ahead", 0}, {"the first is behind", 1}} {
		t.Run(order.name, func(t *testing.T) {
			t.Parallel()
			m, ahead, behind := hourApart(t)
			m.stand()
			stores := []*postgres.Store{ahead, behind}
			one, two := stores[order.first], stores[1-order.first]
			byStore := func(s store.Store) gatewaytest.Option {
				return func(c *gateway.Config) { c.Store, c.Now, c.NewID = s, nil, nil }
			}
			kit := gatewaytest.On(t, one, byStore(one))
			a := &pairApart{m: m, kit: kit, twin: kit.Twin(t, byStore(two)), clock: one.Now}
			a.pass(0)
			test(t, a)
		})
	}
}

// pairApart is those two gateways. The time of the store passes for both.
type pairApart struct {
	m         *machines
	kit, twin *gatewaytest.Kit
	clock     func() time.Time // of the store
}

// pass lets time pass for all, also for the acquirer and the merchant.
func (a *pairApart) pass(d time.Duration) {
	a.m.pass(d)
	a.kit.Clock.Set(a.clock())
}

// passTo lets time pass until a moment.
func (a *pairApart) passTo(at time.Time) { a.pass(at.Sub(a.clock())) }

// work lets both gateways do what is due at the same time, and returns how much that was and when more is due.
func (a *pairApart) work(t *testing.T) (done int, next time.Time) {
	t.Helper()
	var both sync.WaitGroup
	var dones [2]int
	var nexts [2]time.Time
	for i, kit := range []*gatewaytest.Kit{a.kit, a.twin} {
		both.Go(func() {
			var err error
			dones[i], nexts[i], err = kit.Tick(context.Background(), 100)
			if err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	next = nexts[0]
	if next.IsZero() || !nexts[1].IsZero() && nexts[1].Before(next) {
		next = nexts[1]
	}
	return dones[0] + dones[1], next
}

// settle does what is due until nothing is, and returns when more is due.
func (a *pairApart) settle(t *testing.T) (next time.Time) {
	t.Helper()
	for range 100 {
		done, at := a.work(t)
		if done == 0 {
			return at
		}
	}
	require.Fail(t, "the due work does not end")
	return next
}

// margin is more than the gateways may differ by where the answers about the time were late.
const margin = 5 * time.Second

// TestDueWorkOfGatewaysApart: the due work of every kind is done by one of two gateways whose machines are two hours
// apart: neither does it early, both together do it once, and it is not left.
func TestDueWorkOfGatewaysApart(t *testing.T) {
	t.Parallel()
	for _, kind := range kerneltest.DueWorks {
		t.Run(string(kind.Work), func(t *testing.T) {
			t.Parallel()
			apart(t, func(t *testing.T, a *pairApart) {
				refused := callback.Receipt{Verdict: callback.Refused, Status: 500}
				a.kit.Inbox.Answer(func(callback.Delivery) callback.Receipt { return refused })
				kind.Leave(t, a.kit, gatewaytest.MerchantKey, "ORD-1")
				next := a.settle(t)
				tried := len(a.kit.Inbox.All())
				a.kit.Inbox.Answer(nil)
				end := a.clock().Add(kind.Due + 2*kerneltest.Day)
				for !next.IsZero() && next.Before(end) {
					if early := next.Add(-margin); early.After(a.clock()) {
						a.passTo(early)
						done, _ := a.work(t)
						require.Zero(t, done, "done early")
					}
					a.passTo(next.Add(margin))
					done, _ := a.work(t)
					require.Positive(t, done, "not done in time")
					next = a.settle(t)
				}
				require.True(t, kind.Done(t, a.kit, "ORD-1"))
				require.True(t, kind.Done(t, a.twin, "ORD-1"))
				heard := map[string]bool{}
				for _, told := range a.kit.Inbox.All()[tried:] {
					require.False(t, heard[told.ID], "told twice")
					heard[told.ID] = true
				}
				if kind.Work != gateway.WorkPurge { // after which books have gaps
					kerneltest.Quiet(t, a.twin)
				}
			})
		})
	}
}

// TestDeadlinesOfGatewaysApart: a session that one gateway made ends for both at the same moment.
func TestDeadlinesOfGatewaysApart(t *testing.T) {
	t.Parallel()
	apart(t, func(t *testing.T, a *pairApart) {
		pay := func(kit *gatewaytest.Kit, token string) { // where it is over the payer is only sent back
			_, err := kit.PaySession(t.Context(), token, gateway.Submission{Card: gatewaytest.Settles})
			require.NoError(t, err)
		}
		var tokens []string
		for _, order := range []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4"} {
			tokens = append(tokens, a.kit.Session(t, order, "10.00"))
		}
		first, err := a.twin.NextAction(t.Context(), tokens[0])
		require.NoError(t, err)
		a.passTo(first.ExpiresAt.Add(-margin))
		pay(a.kit, tokens[0])
		pay(a.twin, tokens[1])
		require.Len(t, a.kit.Charges(t), 2)
		a.pass(2 * margin)
		pay(a.kit, tokens[2])
		pay(a.twin, tokens[3])
		a.settle(t)
		require.Len(t, a.kit.Charges(t), 2)
		kerneltest.Quiet(t, a.twin)
	})
}

// TestWindowsAndLeasesOfGatewaysApart: both agree on windows and leases.
func TestWindowsAndLeasesOfGatewaysApart(t *testing.T) {
	t.Parallel()
	apart(t, func(t *testing.T, a *pairApart) {
		windowsAgree(t, a.m, a.kit, a.twin)
		leasesAgree(t, a.m, a.kit, a.twin)
	})
}

// windowsAgree sells an order again by the other instance, within 15 seconds and after.
func windowsAgree(t *testing.T, m *machines, kit, twin *gatewaytest.Kit) {
	t.Helper()
	sell := func(kit *gatewaytest.Kit) error {
		_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
		return err
	}
	require.NoError(t, sell(kit))
	require.ErrorIs(t, gateway.AsError(sell(twin)), gateway.ErrDuplicate)
	m.pass(16 * time.Second)
	require.NoError(t, sell(twin))
	require.ErrorIs(t, gateway.AsError(sell(kit)), gateway.ErrDuplicate)
	twin.Work(t)
	require.Len(t, kit.Inbox.All(), 2, "callbacks are due for both")
}

// leasesAgree looks after a call that is under way, before and after the time it may take.
func leasesAgree(t *testing.T, m *machines, kit, twin *gatewaytest.Kit) {
	t.Helper()
	hang, sold := make(chan struct{}), make(chan error, 1)
	kit.Vcard.Next(vcard.Block(hang))
	go func() {
		_, err := kit.Shop().Charge(context.Background(), kerneltest.ChargeOf("ORD-2", gatewaytest.Settles))
		sold <- err
	}()
	require.Eventually(t, func() bool { return kit.Vcard.Scripted() == 0 }, kerneltest.Patience, time.Millisecond)
	done, _, err := twin.Tick(t.Context(), 100)
	require.NoError(t, err)
	require.Zero(t, done, "the call is under way")
	m.pass(time.Hour)
	done, _, err = twin.Tick(t.Context(), 100)
	require.NoError(t, err)
	require.NotZero(t, done, "the call has taken too long")
	close(hang)
	require.NoError(t, <-sold)
	kit.Clock.Set(kit.Clock.Now().Add(2 * time.Hour))
	m.pass(time.Hour)
	twin.Work(t)
	require.Equal(t, store.Settled, twin.Payment(t, "ORD-2").Status)
}

// TestClockIsFollowed: the store looks at the clock of the database again and again. When that of its machine was set
// back, it tells the time of the database soon.
func TestClockIsFollowed(t *testing.T) {
	t.Parallel()
	var off atomic.Int64
	machine := func() time.Time { return time.Now().Add(time.Duration(off.Load())) }
	cfg := postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6}.Every(100*time.Millisecond, machine)
	s, err := postgres.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	off.Store(int64(-time.Hour))
	require.Eventually(t, func() bool { return time.Until(s.Now()).Abs() < time.Minute }, time.Minute,
		time.Millisecond)
}

// lossyConn loses what is sent while it says so. Nobody hears of that, until the connection is given up: then it is
// closed, for which pgx would wait 15 seconds.
type lossyConn struct {
	net.Conn
	loses func(b []byte) bool
}

// Write implements net.Conn.
func (c *lossyConn) Write(b []byte) (int, error) {
	switch {
	case !c.loses(b):
		return c.Conn.Write(b)
	case bytes.Equal(b, terminate):
		return len(b), c.Close()
	}
	return len(b), nil
}

// terminate is the last message of a connection.
var terminate = []byte{'X', 0, 0, 0, 4}

// TestClockAfterSilence: a question for the time that is not answered does not keep the store from asking again, by
// another connection.
func TestClockAfterSilence(t *testing.T) {
	t.Parallel()
	var off, generation atomic.Int64
	machine := func() time.Time { return time.Now().Add(time.Duration(off.Load())) }
	cfg := postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6, Patience: time.Hour,
		Adjust: func(c *pgxpool.Config) {
			through(c, func(conn net.Conn) net.Conn {
				born := generation.Load()
				return &lossyConn{conn, func([]byte) bool { return born < generation.Load() }}
			})
		}}.Every(time.Second, machine)
	s, err := postgres.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	generation.Add(1)
	off.Store(int64(-time.Hour))
	require.Eventually(t, func() bool { return time.Until(s.Now()).Abs() < time.Minute }, time.Minute,
		time.Millisecond)
}

// TestOpenWithoutTheTime: a server that does not tell the time is an error of Open, no later than the store is patient.
func TestOpenWithoutTheTime(t *testing.T) {
	t.Parallel()
	asksForTime := func(b []byte) bool { return bytes.Contains(b, []byte("select clock_timestamp()")) }
	cfg := postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6, Patience: time.Second,
		Adjust: func(c *pgxpool.Config) {
			through(c, func(conn net.Conn) net.Conn { return &lossyConn{conn, asksForTime} })
		}}
	err := within(t, 20*time.Second, func() error { _, err := postgres.Open(t.Context(), cfg); return err })
	require.ErrorContains(t, err, "ask for the time")
}

// TestClockOutlivesOpen: the clock of the database is followed when the context of Open has ended.
func TestClockOutlivesOpen(t *testing.T) {
	t.Parallel()
	var off atomic.Int64
	machine := func() time.Time { return time.Now().Add(time.Duration(off.Load())) }
	cfg := postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6}.Every(100*time.Millisecond, machine)
	ctx, cancel := context.WithCancel(t.Context())
	s, err := postgres.Open(ctx, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	cancel()
	off.Store(int64(-time.Hour))
	require.Eventually(t, func() bool { return time.Until(s.Now()).Abs() < time.Minute }, 20*time.Second, time.Millisecond)
}
