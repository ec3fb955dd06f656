package work_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/work"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// openGate lets every operation begin.
type openGate struct{}

func (openGate) Enter() error { return nil }
func (openGate) Add(int)      {}
func (openGate) Leave()       {}

// desk is a kind of work. It hands out the items that are put on it, and notes how many each claim asks for.
type desk struct {
	mu    sync.Mutex
	asked []int
	items []func(context.Context)
}

func (d *desk) claim(_ context.Context, limit int) (items []func(context.Context), _ error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, limit)
	n := min(limit, len(d.items))
	items, d.items = d.items[:n], d.items[n:]
	return items, nil
}

func (d *desk) put(item func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.items = append(d.items, func(context.Context) { item() })
}

// since returns what the claims since the last call have asked for.
func (d *desk) since() (asked []int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	asked, d.asked = d.asked, nil
	return asked
}

// bench runs desks of each kind of work, on a clock of their own, until the test ends.
func bench(t *testing.T, workers int) (r *work.Runner, desks map[store.Work]*desk) {
	t.Helper()
	r = &work.Runner{Store: memory.New(), Now: time.Now, Log: slog.New(slog.DiscardHandler), Gate: openGate{}}
	desks = map[store.Work]*desk{}
	for _, of := range []store.Work{store.WorkRecovery, store.WorkCallback, store.WorkSchedule, store.WorkExpiry} {
		desks[of] = &desk{}
		r.Add(work.Kind{Work: of, Batch: 1, Workers: workers, Claim: desks[of].claim, Next: at(time.Unix(0, 0))})
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	synctest.Wait()
	return r, desks
}

// A nudge has the work of its kind claimed at once, and no other: a sale queues a callback, and leaves recovery and
// schedules alone.
func TestNudgeWakesItsKind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, desks := bench(t, 2)
		for of := range desks {
			for _, d := range desks {
				d.since()
			}
			r.Nudge(of)
			synctest.Wait()
			for other, d := range desks {
				if asked := d.since(); other == of {
					require.Equal(t, []int{2}, asked, of)
				} else {
					require.Empty(t, asked, "%s after a nudge for %s", other, of)
				}
			}
		}
	})
}

// Workers look again after a second, also when no nudge came: another instance may have queued work.
func TestIdleWorkersLookAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, desks := bench(t, 2)
		for of, d := range desks {
			done := make(chan struct{})
			d.put(func() { close(done) })
			time.Sleep(time.Second)
			synctest.Wait()
			require.True(t, closed(done), of)
		}
	})
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// An item that ends has its kind claim again at once: another may have waited for it, or for its party's share of the
// workers.
func TestEndedItemWakesItsKind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, desks := bench(t, 2)
		for of, d := range desks {
			end, done := make(chan struct{}), make(chan struct{})
			d.put(func() { <-end })
			r.Nudge(of)
			synctest.Wait()
			d.put(func() { close(done) })
			require.False(t, closed(done), of)
			close(end)
			synctest.Wait()
			require.True(t, closed(done), of)
		}
	})
}

// A claim takes what all free workers can do, whatever the batch of Tick, up to a bound. Workers that are busy are not
// counted.
func TestClaimIsForFreeWorkers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		workers int
		asked   []int
	}{{1, []int{1}}, {20, []int{20, 17}}, {64, []int{64, 61}}, {200, []int{64, 64}}} {
		synctest.Test(t, func(t *testing.T) {
			r, desks := bench(t, c.workers)
			d, end := desks[store.WorkSchedule], make(chan struct{})
			defer close(end)
			d.since()
			for range 3 {
				d.put(func() { <-end })
			}
			r.Nudge(store.WorkSchedule)
			synctest.Wait()
			require.Equal(t, c.asked, d.since())
		})
	}
}

// at is a queue whose earliest item is due at a moment.
func at(moment time.Time) func(store.Reader) (time.Time, error) {
	return func(store.Reader) (time.Time, error) { return moment, nil }
}
