package postgres_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
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
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// BenchmarkRatios measures rates beside raw inserts. Each ratio is of two rates that were measured in turns in one run,
// on a server that flushes to a disk. The acquirer approves at once and stores nothing, as in internal/speed:
//
//	TOLLGATE_RATIOS=3 go test -run - -bench Ratios -benchtime 1x -timeout 60m .
//
// The number is how many seconds each measurement takes. Reserve huge pages before, as docs/postgres.md says. With
// TOLLGATE_AWAKE=1 the CPUs of the machine do not sleep meanwhile, for the references neither.
func BenchmarkRatios(b *testing.B) {
	seconds, err := strconv.ParseFloat(os.Getenv("TOLLGATE_RATIOS"), 64)
	if err != nil {
		b.Skip("set TOLLGATE_RATIOS to measure")
	}
	host := newMachine(b)
	server, address := newCluster(b, os.TempDir()), loopback(8)
	require.NoError(b, server.Start(map[string]string{"listen_addresses": address.String(),
		"shared_buffers": "512MB", "min_wal_size": "4GB", "max_wal_size": "4GB"}))
	warm(b, server)
	host.tellMemory()
	m := &meter{B: b, server: server, span: time.Duration(seconds * float64(time.Second))}
	m.gateways()
	m.tail("")
	m.besideInserts("postgres://postgres@" + address.String() + "/postgres")
	m.ratios()
	m.tail(" after minutes of load")
	m.working()
	m.backlogs()
	m.dueWork()
	m.statuses(10_000, 1_000_000)
	host.tellSleep()
}

// warm lets the server make all files of its log that it may have, which it then uses again and again, as one does that
// has run for a while. Making one stops all commits for some 50 ms.
func warm(b *testing.B, server *cluster.Cluster) {
	b.Helper()
	execute(b, server.URL(), `create table warm (text text);
		alter table warm alter text set storage external;
		insert into warm select repeat('x', 1000000) from generate_series(1, 3800)`)
	execute(b, server.URL(), "drop table warm")
	execute(b, server.URL(), "checkpoint")
}

// meter measures rates.
type meter struct {
	*testing.B
	server   *cluster.Cluster
	span     time.Duration
	one, two *gateway.Gateway
	stores   [2]*counted
	orders   atomic.Int64
	told     atomic.Int64 // callbacks that were delivered
	value    []byte       // as many bytes as a sale writes
	keys     gateway.KeyProvider
	pool     *pgxpool.Pool
	replay   *replay
}

// say prints a line at once. Of what a benchmark logs, only the beginning is shown.
func (m *meter) say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func (m *meter) gateways() {
	m.Helper()
	for i := range m.stores {
		m.stores[i] = &counted{Store: m.open(m.server.URL())}
	}
	m.keys = gatewaytest.NewKeys()
	var err error
	m.one, err = speed.Open(m.Context(), m.stores[0], m.shared)
	require.NoError(m, err)
	m.two, err = speed.Start(m.stores[1], m.shared)
	require.NoError(m, err)
	require.NoError(m, m.sale(m.one))
	size := func() int64 {
		return ask[int64](m.B, m.server.URL(), "select sum(length(key) + length(value))::bigint from tollgate.records")
	}
	before := size()
	require.NoError(m, m.sale(m.one))
	m.value = make([]byte, size()-before)
	_, _ = rand.Read(m.value)
	m.replay = newReplay(m.B, m.server.URL(), m.keys)
	m.say("a sale leaves %d bytes", len(m.value))
	m.pool = m.connect(m.server.URL())
	execute(m.B, m.server.URL(), "create table raw (key bytea primary key, value bytea not null)")
}

// open opens a store with the connections of an instance.
func (m *meter) open(url string) *postgres.Store {
	m.Helper()
	s, err := postgres.Open(m.Context(), postgres.Config{URL: url, Connections: 16})
	require.NoError(m, err)
	m.Cleanup(func() { require.NoError(m, s.Close()) })
	return s
}

// connect opens the connections of raw inserts.
func (m *meter) connect(url string) *pgxpool.Pool {
	m.Helper()
	cfg, err := pgxpool.ParseConfig(url)
	require.NoError(m, err)
	cfg.MaxConns = 64
	pool, err := pgxpool.NewWithConfig(m.Context(), cfg)
	require.NoError(m, err)
	m.Cleanup(pool.Close)
	return pool
}

// shared is what all instances have in common.
func (m *meter) shared(c *gateway.Config) { c.Keys, c.Notifier = m.keys, told{c.Notifier, &m.told} }

func (m *meter) sale(gw *gateway.Gateway) error {
	ctx := context.WithValue(context.Background(), ofSale{}, true)
	_, err := gw.Merchant(gatewaytest.MerchantKey).Charge(ctx, kerneltest.SaleRequest(m.orders.Add(1)))
	return err
}

// raw inserts a row, as a program without a gateway would.
func (m *meter) raw(pool *pgxpool.Pool) error {
	key := fmt.Appendf(nil, "%020d", m.orders.Add(1))
	_, err := pool.Exec(context.Background(), "insert into raw (key, value) values ($1, $2)", key, m.value)
	return err
}

// rate runs do with so many callers for the span. It returns how many ended per second, and how long each took.
func (m *meter) rate(callers int, do func(caller int) error) (perSecond float64, took []time.Duration) {
	m.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	begun := time.Now()
	for caller := range callers {
		all.Go(func() {
			var mine []time.Duration
			for time.Since(begun) < m.span {
				from := time.Now()
				if err := do(caller); err != nil {
					m.Error(err)
					return
				}
				mine = append(mine, time.Since(from))
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, mine...)
		})
	}
	all.Wait()
	return float64(len(took)) / time.Since(begun).Seconds(), took
}

// turns is how often each figure is measured; manyTurns where the rates of one turn differ most from those of the next.
const turns, manyTurns = 5, 15

// turns measures two rates in turns and prints the ratio of both.
func (m *meter) turns(title string, ours, reference func() float64) {
	m.Helper()
	m.inTurns(turns, title, ours, reference)
}

// inTurns is turns, so many times. Each rate is first in every other turn, since rates fall while the table grows.
func (m *meter) inTurns(times int, title string, ours, reference func() float64) {
	m.Helper()
	var as, bs speed.Spread
	for turn := range times {
		if turn%2 == 0 {
			as = append(as, ours())
		}
		bs = append(bs, reference())
		if turn%2 > 0 {
			as = append(as, ours())
		}
	}
	speed.PrintRatio(os.Stdout, title, as, bs)
}

// sales measures sales on an instance.
func (m *meter) sales(gw *gateway.Gateway, callers int) func() float64 {
	return func() float64 { r, _ := m.rate(callers, func(int) error { return m.sale(gw) }); return r }
}

// inserts measures raw inserts.
func (m *meter) inserts(pool *pgxpool.Pool) func() float64 {
	return func() float64 { r, _ := m.rate(64, func(int) error { return m.raw(pool) }); return r }
}

// besideInserts measures sales beside raw inserts: where all connections are of a socket of the file system, as in all
// other rows, and where they are of the network, by its URL.
func (m *meter) besideInserts(url string) {
	m.Helper()
	const title = "sale with 64 callers, of an insert of its bytes with 64 connections"
	m.inTurns(manyTurns, title, m.sales(m.one, 64), m.inserts(m.pool))
	s, pool := m.open(url), m.connect(url)
	gw, err := speed.Start(&counted{Store: s}, m.shared)
	require.NoError(m, err)
	m.inTurns(manyTurns, title+", over TCP", m.sales(gw, 64), m.inserts(pool))
	pool.Close()
	require.NoError(m, s.Close())
}

func (m *meter) ratios() {
	m.Helper()
	alone := func(callers int) func() float64 { return m.sales(m.one, callers) }
	var met conflicts
	both := func(callers int) func() float64 {
		return func() float64 {
			before := m.tally()
			r, _ := m.rate(callers, m.either)
			met.add(before, m.tally())
			return r
		}
	}
	twoCommits := func() float64 { r, _ := m.rate(1, func(int) error { return m.replay.sale() }); return r }
	m.turns("sale on two instances with 32 callers each, of one with 64", both(64), alone(64))
	m.turns("sale on two instances with 64 callers each, of one with 128", both(128), alone(128))
	m.turns("sale on two instances with 64 callers each, of one with 64", both(128), alone(64))
	speed.PrintMeasure(os.Stdout, "conflicts of 1,000 sales on two instances, in those", "conflicts", met.sales)
	m.turns("sale with 1 caller, of its two commits alone", alone(1), twoCommits)
	for i, s := range m.stores {
		groups, transactions, conflicts, alone := s.Counts()
		m.say("instance %d: groups=%d transactions=%d conflicts=%d alone=%d", i+1, groups, transactions, conflicts, alone)
	}
}

// working counts the conflicts of sales on two instances which also deliver callbacks: those of the sales before, and
// then their own. All go to one URL, so that both instances take them from one line.
func (m *meter) working() {
	m.Helper()
	defer m.run(m.one, m.two)()
	for _, callers := range []int{8, 64} {
		var met conflicts
		for range turns {
			before := m.tally()
			m.rate(callers, m.either)
			met.add(before, m.tally())
		}
		among := fmt.Sprintf(" with %d callers, two instances that deliver too", callers)
		speed.PrintMeasure(os.Stdout, "conflicts of 1,000 sales"+among, "conflicts", met.sales)
		speed.PrintMeasure(os.Stdout, "conflicts of the work for 1,000 callbacks"+among, "conflicts", met.work)
	}
}

// run has gateways do due work until the returned function is called.
func (m *meter) run(gateways ...*gateway.Gateway) (stop func()) {
	ctx, end := context.WithCancel(m.Context())
	var work sync.WaitGroup
	for _, gw := range gateways {
		work.Go(func() { _ = gw.Run(ctx) }) // it ends with its context, and its error says only that
	}
	return func() {
		end()
		work.Wait()
	}
}

// backlogs measures how fast one instance and two deliver callbacks that have waited, all of one URL, and how often the
// two meet.
func (m *meter) backlogs() {
	m.Helper()
	var met conflicts
	delivers := func(gateways ...*gateway.Gateway) float64 {
		until := m.told.Load() + m.queueBacklog()
		before, begun := m.tally(), time.Now()
		defer m.run(gateways...)()
		m.await(&m.told, until)
		if len(gateways) > 1 {
			met.add(before, m.tally())
		}
		return backlog / time.Since(begun).Seconds()
	}
	m.turns("callbacks of a backlog that two instances deliver, of one that delivers",
		func() float64 { return delivers(m.one, m.two) }, func() float64 { return delivers(m.one) })
	speed.PrintMeasure(os.Stdout, "conflicts of the work for 1,000 callbacks of a backlog, two instances that deliver it",
		"conflicts", met.work)
}

// backlog is how many callbacks come together.
const backlog = 5000

// queueBacklog makes as many sales, and returns how many callbacks that has queued.
func (m *meter) queueBacklog() int64 {
	m.Helper()
	m.times(backlog, func() error { return m.either(int(m.orders.Load())) })
	return backlog
}

// times has 64 callers do something so often in all.
func (m *meter) times(n int64, do func() error) {
	m.Helper()
	var all sync.WaitGroup
	var left atomic.Int64
	left.Store(n)
	for range 64 {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if err := do(); err != nil {
					m.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// told counts deliveries.
type told struct {
	callback.Notifier
	times *atomic.Int64
}

func (t told) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	defer t.times.Add(1)
	return t.Notifier.Deliver(ctx, d)
}

// either makes a sale on one of the instances.
func (m *meter) either(caller int) error {
	return m.sale([]*gateway.Gateway{m.one, m.two}[caller%2])
}

// tail measures how long a sale takes.
func (m *meter) tail(when string) {
	m.Helper()
	var p50, p99 speed.Spread
	for range turns {
		_, took := m.rate(64, func(int) error { return m.sale(m.one) })
		p50, p99 = append(p50, speed.Quantile(took, 0.5)), append(p99, speed.Quantile(took, 0.99))
	}
	speed.PrintMeasure(os.Stdout, "p50 of a sale with 64 callers"+when, "us", p50)
	speed.PrintMeasure(os.Stdout, "p99 of a sale with 64 callers"+when+", of its p50", "times", p99.Over(p50))
}
