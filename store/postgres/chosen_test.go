package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// chosenLane is a queue with entries in one lane, from which two instances choose and pick.
type chosenLane struct {
	queue store.FairQueue
	spot  store.Spot
	due   time.Time
	ids   []string
}

// TestBothChoose has two instances choose the same entries of a queue, each in a view of its own, and pick them at the
// same time. Each entry goes to one of them, and the other one notices.
func TestBothChoose(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	instances := []*postgres.Store{open(t, schema), open(t, schema)}
	l := &chosenLane{store.FairQueue{Name: "f"}, store.Spot{Group: "m1", Lane: "https://shop.example"},
		time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC), []string{"a", "b", "c", "d", "e"}}
	for _, door := range doors {
		t.Run(door.name, func(t *testing.T) {
			for range rounds(t, "TOLLGATE_CHOSEN", 20) {
				require.NoError(t, instances[0].Update(t.Context(), l.fill))
				picked := l.pick(t, instances, door.update)
				for i, id := range l.ids {
					require.EqualValues(t, 1, picked[i].Load(), id)
				}
			}
		})
	}
}

func (l *chosenLane) fill(tx store.Tx) error {
	for _, id := range l.ids {
		if err := l.queue.Put(tx, l.spot, id, l.due, l.due); err != nil {
			return err
		}
	}
	return nil
}

// pick has each instance choose all, and then pick each in a transaction of its own. It returns how often each entry
// was picked.
func (l *chosenLane) pick(t *testing.T, instances []*postgres.Store,
	update func(*testing.T, *postgres.Store, func(store.Tx) error) error,
) (picked []atomic.Int64) {
	t.Helper()
	picked = make([]atomic.Int64, len(l.ids))
	chosen, met := newBarrier(len(instances)), newBarrier(len(instances)*len(l.ids))
	var all sync.WaitGroup
	for _, s := range instances {
		all.Go(func() {
			l.choose(t, s)
			chosen.once()()
			for i, id := range l.ids {
				all.Go(func() {
					meet, there := met.once(), false
					err := update(t, s, func(tx store.Tx) (err error) {
						there, err = l.queue.Pick(tx, l.spot, id, l.due)
						meet()
						return err
					})
					if err != nil {
						t.Error(err)
					} else if there {
						picked[i].Add(1)
					}
				})
			}
		})
	}
	all.Wait()
	return picked
}

// choose chooses all entries.
func (l *chosenLane) choose(t *testing.T, s *postgres.Store) {
	t.Helper()
	var turns store.Turns
	chosen := 0
	if err := s.View(t.Context(), func(r store.Reader) error {
		list, _, err := l.queue.Choose(r, l.due, &turns, len(l.ids), store.Guard{})
		chosen = len(list)
		return err
	}); err != nil || chosen != len(l.ids) {
		t.Errorf("%d were chosen: %v", chosen, err)
	}
}
