package race_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// careless is a store without isolation during a race: a transaction decides by what it has read, and overwrites
// what was written in between. The kernel's leases and reservations rely only on that isolation.
type careless struct {
	store.Store
	racing *atomic.Bool
}

func (c careless) Update(ctx context.Context, fn func(store.Tx) error) error {
	if !c.racing.Load() {
		return c.Store.Update(ctx, fn)
	}
	apart, did, err := memory.New(), &deeds{}, error(nil)
	defer apart.Close() //nolint:errcheck // it is in memory
	err = c.View(ctx, func(r store.Reader) error {
		return apart.Update(ctx, func(tx store.Tx) error {
			for e := range r.Scan(store.Range{Limit: kerneltest.Everything}) {
				if e.Err != nil {
					return e.Err
				}
				if err := tx.Put(bytes.Clone(e.Key), bytes.Clone(e.Value)); err != nil {
					return err
				}
			}
			did.Tx = tx
			return fn(did)
		})
	})
	for range 20 {
		runtime.Gosched()
	}
	if err != nil || len(did.list) == 0 {
		return err
	}
	return c.Store.Update(ctx, func(tx store.Tx) error {
		for _, deed := range did.list {
			if err := deed(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// deeds records what a transaction writes.
type deeds struct {
	store.Tx
	list []func(store.Tx) error
}

func (d *deeds) Put(key, value []byte) error {
	key, value = bytes.Clone(key), bytes.Clone(value)
	d.list = append(d.list, func(tx store.Tx) error { return tx.Put(key, value) })
	return d.Tx.Put(key, value)
}

func (d *deeds) Insert(key, value []byte) error {
	if err := d.Tx.Insert(key, value); err != nil {
		return err
	}
	return d.Put(key, value)
}

func (d *deeds) Delete(key []byte) error {
	key = bytes.Clone(key)
	d.list = append(d.list, func(tx store.Tx) error { return tx.Delete(key) })
	return d.Tx.Delete(key)
}

// TestCarelessControl checks that the same trials find faults on a store without isolation, in most of the pairs.
// In the other pairs both write the same, or there is a single writer.
func TestCarelessControl(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			found := map[string]bool{}
			t.Cleanup(func() {
				t.Logf("races: control=%q trials=%d found_wrong=%d", "a store without isolation, pairs, "+backend.name,
					len(pairs), len(found))
				var unseen []string
				for _, pair := range pairs {
					if !found[pair.name] {
						unseen = append(unseen, pair.name)
					}
				}
				t.Logf("no fault is found on it in: %s", strings.Join(unseen, "; "))
				require.Greater(t, len(found), len(pairs)/2, "the judges see little: %v", found)
			})
			for _, pair := range pairs {
				t.Run(pair.name, func(t *testing.T) {
					t.Parallel()
					for _, way := range pair.ways {
						if round, fault := way.firstFault(t, backend.open); fault != "" {
							t.Logf("%s: found wrong in trial %d", way.name, round+1)
							mu.Lock()
							found[pair.name] = true
							mu.Unlock()
							return
						}
					}
				})
			}
		})
	}
}

// firstFault returns the first faulty trial on a careless store, and the fault. Due work is not finished as in
// TestPairs, because with contradictory records that may never end.
func (w way) firstFault(t *testing.T, open func(testing.TB) store.Store) (round int, fault string) {
	t.Helper()
	can, racing := kerneltest.Powers(true, time.Minute), &atomic.Bool{}
	s := newStage(t, &can, func() store.Store { return careless{open(t), racing} })
	s.racing = racing
	for round = range min(trials(t), perStage) {
		s.next(t)
		v := &verdict{TB: t}
		fault = v.judged(func() {
			w.meet(&duel{T: v, one: s.one, two: s.two, spy: s.spy, stage: s, round: round})
			kerneltest.Audit(v, s.one)
		})
		if fault != "" {
			return round, fault
		}
	}
	return round, ""
}
