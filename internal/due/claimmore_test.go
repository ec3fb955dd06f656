package due_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

var (
	more = store.FairQueue{Name: "more"}
	noon = time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)
)

// instance is one of several that share a queue.
type instance struct {
	*due.Queues
	crew *due.Crew
	did  []string
}

func instances(t *testing.T, n int, items ...string) (list []*instance) {
	t.Helper()
	s := memory.New()
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
		for i, item := range items {
			if err := more.Put(tx, store.Spot{Group: "party"}, item, noon.Add(time.Duration(i)*time.Millisecond),
				noon.Add(time.Hour)); err != nil {
				return err
			}
		}
		return nil
	}))
	for range n {
		q := &due.Queues{Store: s, Now: func() time.Time { return noon.Add(time.Hour) },
			Log: slog.New(slog.DiscardHandler), Watch: &watch.Watch{Log: slog.New(slog.DiscardHandler)}}
		list = append(list, &instance{Queues: q, crew: due.NewCrew(more, store.WorkRecovery, 64)})
	}
	return list
}

// take claims an item that is not lost, and does it at once.
func (i *instance) take(_ store.Tx, id string) (func(context.Context), error) {
	switch id {
	case "lost":
		return nil, store.ErrNotFound
	case "moved on":
		return nil, nil
	}
	return func(context.Context) { i.did = append(i.did, id) }, nil
}

func (i *instance) more(t *testing.T, limit int) {
	t.Helper()
	items, err := i.ClaimMore(t.Context(), i.crew, limit, i.take)
	require.NoError(t, err)
	require.LessOrEqual(t, len(items), limit)
	for _, do := range items {
		do(t.Context())
	}
}

// ClaimMore takes what Claim takes, in the same turns, and each item once.
func TestClaimMore(t *testing.T) {
	t.Parallel()
	i := instances(t, 1, "1", "2", "lost", "moved on", "3")[0]
	i.more(t, 2)
	require.Equal(t, []string{"1", "2"}, i.did)
	i.more(t, 9)
	require.Equal(t, []string{"1", "2", "3"}, i.did)
	i.more(t, 9)
	require.Len(t, i.did, 3)
	items, err := i.Claim(t.Context(), i.crew, 9, i.take)
	require.NoError(t, err)
	require.Len(t, items, 1, "the empty lane is left to Claim")
}

// What another instance took between the choice and the claim is not taken again, and the next choice is apart from
// its own.
func TestClaimMoreAmongOthers(t *testing.T) {
	t.Parallel()
	var items []string
	for n := range 600 {
		items = append(items, fmt.Sprintf("%03d", n))
	}
	two := instances(t, 2, items...)
	one, other := two[0], two[1]
	act := sync.OnceFunc(func() { other.more(t, 4) })
	one.Store = between{one.Store, act}
	one.more(t, 4)
	require.Empty(t, one.did, "all four were taken meanwhile")
	require.Equal(t, items[:4], other.did)
	one.more(t, 4)
	require.Len(t, one.did, 4)
	require.Greater(t, slices.Index(items, one.did[0]), 4, "not at the head, where the other goes on")
}

// Parties take turns over claims, also when one of them has much more.
func TestTurnsGoOn(t *testing.T) {
	t.Parallel()
	i := instances(t, 1, "1", "2", "3")[0]
	require.NoError(t, i.Store.Update(t.Context(), func(tx store.Tx) error {
		return more.Put(tx, store.Spot{Group: "another"}, "4", noon, noon)
	}))
	for range 4 {
		i.more(t, 1)
	}
	require.Equal(t, []string{"4", "1", "2", "3"}, i.did)
	i.did = nil
	require.NoError(t, i.Store.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(more.Put(tx, store.Spot{Group: "another"}, "5", noon, noon),
			more.Put(tx, store.Spot{Group: "another"}, "6", noon, noon),
			more.Put(tx, store.Spot{Group: "party"}, "7", noon, noon))
	}))
	i.more(t, 1)
	i.more(t, 1)
	require.Equal(t, []string{"5", "7"}, i.did)
}

// Work that has arrived is not left behind that of a party with a backlog: nothing is chosen before all of it has been
// moved to its party's turns.
func TestNothingIsChosenBeforeAllArrived(t *testing.T) {
	t.Parallel()
	i := instances(t, 1, "1", "2", "3", "4", "5")[0]
	require.NoError(t, i.Store.Update(t.Context(), func(tx store.Tx) error {
		for n := range 150 {
			err := more.Put(tx, store.Spot{Group: "late"}, fmt.Sprint("late", n), noon.Add(time.Minute), noon)
			if err != nil {
				return err
			}
		}
		return nil
	}))
	claim := func() {
		items, err := i.Claim(t.Context(), i.crew, 1, i.take)
		require.NoError(t, err)
		for _, do := range items {
			do(t.Context())
		}
	}
	claim()
	did := len(i.did)
	i.more(t, 9)
	require.Len(t, i.did, did, "100 of 150 have arrived")
	claim()
	i.more(t, 1)
	require.Len(t, i.did, did+2)
}

// between lets another act after the first look at a store, before what was seen there is used.
type between struct {
	store.Store
	act func()
}

func (b between) View(ctx context.Context, fn func(store.Reader) error) error {
	defer b.act()
	return b.Store.View(ctx, fn)
}
