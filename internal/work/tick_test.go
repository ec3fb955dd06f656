package work_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/work"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// readings counts what is read of a store.
type readings struct {
	store.Store
	views int
}

func (r *readings) View(ctx context.Context, fn func(store.Reader) error) error {
	r.views++
	return r.Store.View(ctx, fn)
}

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	past = noon.Add(-time.Minute)
	soon = noon.Add(time.Minute)
)

// row is a kind of work in a row of a test: when its earliest item is due while it has items, whether a claim of that
// would take anything, and how many items a claim takes at most.
type row struct {
	items   int
	due     time.Time
	refused bool
	batch   int
}

// Tick looks once, and once more behind each claim; it claims only what is due and would be taken. Next is when
// something of any kind can be done.
func TestTickLooksBeforeItClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		rows   [2]row
		limit  int
		claims [2]int
		done   int
		next   time.Time
	}{
		{"nothing", [2]row{}, 9, [2]int{}, 0, time.Time{}},
		{"all later", [2]row{{1, soon.Add(1), false, 1}, {1, soon, false, 1}}, 9, [2]int{}, 0, soon},
		{"later by a hair", [2]row{{1, noon.Add(1), false, 1}, {}}, 9, [2]int{}, 0, noon.Add(1)},
		{"due now", [2]row{{1, noon, false, 1}, {}}, 9, [2]int{1, 0}, 1, time.Time{}},
		{"the second alone", [2]row{{1, soon, false, 1}, {1, past, false, 1}}, 9, [2]int{0, 1}, 1, soon},
		{"batch by batch", [2]row{{5, past, false, 2}, {1, past, false, 9}}, 9, [2]int{3, 1}, 6, time.Time{}},
		{"up to the limit", [2]row{{5, past, false, 2}, {1, past, false, 9}}, 3, [2]int{2, 0}, 3, past},
		{"up to the limit, then the other", [2]row{{3, past, false, 9}, {1, soon, false, 9}}, 3, [2]int{1, 0}, 3, soon},
		{"no limit, no work", [2]row{{1, past, false, 1}, {}}, 0, [2]int{}, 0, past},
		{"due, and not to be had", [2]row{{1, past, true, 1}, {1, past, false, 1}}, 9, [2]int{0, 1}, 1,
			noon.Add(time.Second)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &readings{Store: memory.New()}
			r := &work.Runner{Store: s, Now: func() time.Time { return noon }}
			var desks [2]desk
			for i, row := range c.rows {
				for range row.items {
					desks[i].put(func() {})
				}
				r.Add(row.kind(&desks[i]))
			}
			done, next, err := r.Tick(t.Context(), c.limit)
			require.NoError(t, err)
			require.Equal(t, c.done, done)
			require.Equal(t, c.next, next)
			require.Equal(t, c.claims, [2]int{len(desks[0].asked), len(desks[1].asked)})
			require.Equal(t, 1+c.claims[0]+c.claims[1], s.views)
		})
	}
}

func (w row) kind(d *desk) work.Kind {
	return work.Kind{Batch: w.batch, Claim: d.claim,
		Next: func(store.Reader) (time.Time, error) {
			if len(d.items) == 0 {
				return time.Time{}, nil
			}
			return w.due, nil
		},
		Offers: func(store.Reader, time.Time) (bool, error) { return !w.refused, nil },
	}
}

// What an item makes due of its own kind or a later one is done by the same Tick. Of an earlier kind it is next.
func TestTickDoesWhatFollows(t *testing.T) {
	t.Parallel()
	r := &work.Runner{Store: memory.New(), Now: func() time.Time { return noon }}
	var desks [3]desk
	follows := 0
	desks[1].put(func() {
		desks[0].put(func() { follows += 10 })
		desks[1].put(func() { desks[2].put(func() { follows++ }) })
	})
	for i := range desks {
		r.Add(row{due: past, batch: 4}.kind(&desks[i]))
	}
	done, next, err := r.Tick(t.Context(), 9)
	require.NoError(t, err)
	require.Equal(t, []int{3, 1}, []int{done, follows})
	require.Equal(t, past, next)
}

// A kind whose claim takes nothing, though it is due, is left alone until the next Tick.
func TestTickEndsWhereNothingIsTaken(t *testing.T) {
	t.Parallel()
	s, d := &readings{Store: memory.New()}, desk{}
	r := &work.Runner{Store: s, Now: func() time.Time { return noon }}
	r.Add(work.Kind{Batch: 1, Claim: d.claim, Next: at(past)})
	done, next, err := r.Tick(t.Context(), 9)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2}, []int{done, len(d.asked), s.views})
	require.Equal(t, past, next)
}

// A queue that cannot be read does not keep Tick from the other work, and is told.
func TestTickAroundAnUnreadableQueue(t *testing.T) {
	t.Parallel()
	for name, kind := range unreadableKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken, sound, did := &desk{}, &desk{}, 0
			broken.put(func() { did += 10 })
			sound.put(func() { did++ })
			r := &work.Runner{Store: memory.New(), Now: time.Now}
			r.Add(kind(broken), work.Kind{Work: store.WorkCallback, Batch: 1, Claim: sound.claim, Next: at(time.Unix(0, 0))})
			done, _, err := r.Tick(t.Context(), 10)
			require.ErrorIs(t, err, errUnreadable)
			require.Equal(t, []int{1, 1}, []int{done, did})
		})
	}
}

var errUnreadable = errors.New("unreadable")

// unreadableKinds are kinds whose queue cannot be read.
var unreadableKinds = map[string]func(*desk) work.Kind{
	"next": func(d *desk) work.Kind {
		return work.Kind{Batch: 1, Workers: 1, Claim: d.claim,
			Next: func(store.Reader) (time.Time, error) { return time.Time{}, errUnreadable }}
	},
	"offers": func(d *desk) work.Kind {
		return work.Kind{Batch: 1, Workers: 1, Claim: d.claim, Next: at(time.Unix(0, 0)),
			Offers: func(store.Reader, time.Time) (bool, error) { return true, errUnreadable }}
	},
}

// Run claims only what is due and would be taken, and nothing from a queue that cannot be read.
func TestRunLooksBeforeItClaims(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &work.Runner{Store: memory.New(), Now: time.Now, Log: slog.New(slog.DiscardHandler), Gate: openGate{}}
		due := time.Now().Add(time.Minute)
		kinds := map[string]work.Kind{
			"next": unreadableKinds["next"](&desk{}), "offers": unreadableKinds["offers"](&desk{}),
			"none":    {Next: at(time.Time{})},
			"refused": {Next: at(time.Unix(0, 0)), Offers: func(store.Reader, time.Time) (bool, error) { return false, nil }},
			"later":   {Next: at(due)},
		}
		desks := map[string]*desk{}
		for name, kind := range kinds {
			desks[name] = &desk{}
			kind.Batch, kind.Workers, kind.Claim = 1, 1, desks[name].claim
			r.Add(kind)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- r.Run(ctx) }()
		time.Sleep(time.Minute - time.Millisecond)
		for name, d := range desks {
			require.Empty(t, d.since(), name)
		}
		time.Sleep(time.Second)
		for name, d := range desks {
			require.Len(t, d.since(), map[string]int{"later": 1}[name], name)
		}
		stop()
		require.NoError(t, <-ended)
	})
}
