package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

var fair, noon = store.FairQueue{Name: "f"}, time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)

func queued(t *testing.T, tx store.Tx, at time.Time, items ...string) {
	t.Helper()
	for i, item := range items { // group/lane/id
		p := strings.Split(item, "/")
		require.NoError(t, fair.Put(tx, store.Spot{Group: p[0], Lane: p[1]}, p[2], at.Add(time.Duration(i)),
			at.Add(time.Hour)))
	}
}

func takeFrom(t *testing.T, tx store.Tx, turns *store.Turns, limit int, guard store.Guard) (ids []string) {
	t.Helper()
	taken, _, err := fair.Take(tx, noon.Add(time.Hour), turns, limit, guard)
	require.NoError(t, err)
	for _, entry := range taken {
		ids = append(ids, entry.ID)
	}
	return ids
}

// Groups take turns, and the lanes of a group do; a lane hands out its oldest entry first.
func TestFairQueueTurns(t *testing.T) {
	t.Parallel()
	items := []string{"a/x/a1", "a/x/a2", "a/x/a3", "a/y/a4", "b/x/b1", "c/z/c1", "c/z/c2"}
	want := []string{"a1", "b1", "c1", "a4", "c2", "a2", "a3"}
	for limit := 1; limit <= len(items)+1; limit++ {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				queued(t, tx, noon, items...)
				var turns store.Turns
				var got []string
				for {
					ids := takeFrom(t, tx, &turns, limit, store.Guard{})
					if len(ids) == 0 {
						break
					}
					require.LessOrEqual(t, len(ids), limit)
					got = append(got, ids...)
				}
				require.Equal(t, want, got)
				empty(t, tx)
			})
		})
	}
}

// empty requires that no key of the queue is left.
func empty(t *testing.T, tx store.Tx) {
	t.Helper()
	for entry := range tx.Scan(store.Range{Prefix: []byte("f"), Limit: 99}) {
		require.NoError(t, entry.Err)
		require.Fail(t, "a key is left", "%q", entry.Key)
	}
	next, err := fair.Next(tx)
	require.NoError(t, err)
	require.Zero(t, next)
}

// An item that is due later comes into its lane when its time has come, and not before.
func TestFairQueueLater(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		spot, due := store.Spot{Group: "a", Lane: "x"}, noon.Add(time.Minute)
		require.NoError(t, fair.Put(tx, spot, "1", due, noon))
		next, err := fair.Next(tx)
		require.NoError(t, err)
		require.Equal(t, due, next)
		for _, at := range []time.Time{noon, due.Add(-1)} {
			n, err := fair.Arrive(tx, at, 9)
			require.NoError(t, err)
			require.Zero(t, n)
			offers, err := fair.Offers(tx, at, &store.Turns{}, store.Guard{})
			require.NoError(t, err)
			require.False(t, offers)
		}
		offers, err := fair.Offers(tx, due, &store.Turns{}, store.Guard{})
		require.NoError(t, err)
		require.True(t, offers)
		n, err := fair.Arrive(tx, due, 9)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, []string{"1"}, takeFrom(t, tx, &store.Turns{}, 9, store.Guard{}))
		empty(t, tx)
	})
}

// An item that is removed is not handed out, whether it was due or not.
func TestFairQueueRemove(t *testing.T) {
	t.Parallel()
	spot := store.Spot{Group: "a", Lane: "x"}
	for name, due := range map[string]time.Time{"later": noon.Add(time.Minute), "in its lane": noon} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				require.NoError(t, fair.Put(tx, spot, "1", due, noon))
				require.NoError(t, fair.Remove(tx, spot, "1", due, noon))
				_, err := fair.Arrive(tx, noon.Add(time.Hour), 9)
				require.NoError(t, err)
				var turns store.Turns
				require.Empty(t, takeFrom(t, tx, &turns, 9, store.Guard{}))
				require.Empty(t, takeFrom(t, tx, &turns, 9, store.Guard{}))
				empty(t, tx)
			})
		})
	}
}

// A clock that is ahead may bring an entry too early. The entry waits until its time by the clock of the caller.
func TestFairQueueEarly(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		ahead := noon.Add(time.Hour)
		require.NoError(t, fair.Put(tx, store.Spot{Group: "a", Lane: "x"}, "1", ahead, ahead))
		taken, moved, err := fair.Take(tx, noon, &store.Turns{}, 9, store.Guard{})
		require.NoError(t, err)
		require.Empty(t, taken)
		require.Positive(t, moved)
		next, err := fair.Next(tx)
		require.NoError(t, err)
		require.Equal(t, ahead, next)
	})
}

// A blocked lane costs one step however many entries it has. The others go on, and it comes back whole, the oldest
// first.
func TestFairQueueParks(t *testing.T) {
	t.Parallel()
	until := noon.Add(2 * time.Hour)
	for _, c := range []struct {
		name  string
		guard store.Guard
		want  []string // while the block holds
	}{
		{"lane", store.Guard{LaneBlock: func(s store.Spot) (store.Block, error) {
			if s.Lane == "x" && s.Group == "a" {
				return store.Block{Name: "block", Until: until}, nil
			}
			return store.Block{}, nil
		}}, []string{"b1", "other"}},
		{"group", store.Guard{GroupBlock: func(group string) (store.Block, error) {
			if group == "a" {
				return store.Block{Name: "block", Until: until}, nil
			}
			return store.Block{}, nil
		}}, []string{"b1"}},
	} {
		for _, lifted := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, ", lifted ", lifted), func(t *testing.T) {
				t.Parallel()
				update(t, func(tx store.Tx) {
					counted := &countedTx{Tx: tx}
					for i := range 500 {
						queued(t, tx, noon.Add(time.Duration(i)), fmt.Sprintf("a/x/a%03d", i))
					}
					queued(t, tx, noon, "a/y/other", "b/x/b1")
					var turns store.Turns
					taken, moved, err := fair.Take(counted, noon.Add(time.Hour), &turns, 99, c.guard)
					require.NoError(t, err)
					require.Len(t, taken, len(c.want))
					require.Equal(t, 1, moved)
					require.LessOrEqual(t, counted.writes, 15)
					offers, err := fair.Offers(tx, until.Add(-1), &turns, store.Guard{})
					require.NoError(t, err)
					require.False(t, offers, "parked entries are not read")

					end := until
					if lifted {
						end = noon.Add(time.Hour)
						require.NoError(t, fair.Lift(tx, "block", end))
					}
					counted.writes = 0
					done, err := fair.Wake(counted, end)
					require.NoError(t, err)
					require.Positive(t, done)
					require.LessOrEqual(t, counted.writes, 6)
					var got []string
					for ids := []string{""}; len(ids) > 0; got = append(got, ids...) {
						ids = takeFrom(t, tx, &turns, 7, store.Guard{})
					}
					got = without(got, "other")
					require.Len(t, got, 500)
					require.IsIncreasing(t, got)
				})
			})
		}
	}
}

func without(list []string, one string) (rest []string) {
	for _, text := range list {
		if text != one {
			rest = append(rest, text)
		}
	}
	return rest
}

// countedTx counts the writes of a transaction.
type countedTx struct {
	store.Tx
	writes int
}

func (tx *countedTx) Put(key, value []byte) error {
	tx.writes++
	return tx.Tx.Put(key, value)
}

func (tx *countedTx) Delete(key []byte) error {
	tx.writes++
	return tx.Tx.Delete(key)
}

// Many lanes under one block come back in several steps, and none is lost.
func TestFairQueueWakesInBatches(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		until := noon.Add(2 * time.Hour)
		guard := store.Guard{LaneBlock: func(store.Spot) (store.Block, error) {
			return store.Block{Name: "host", Until: until}, nil
		}}
		for i := range 1000 {
			queued(t, tx, noon, fmt.Sprintf("m%03d/x/%03d", i, i))
		}
		var turns store.Turns
		for parked := 0; parked < 1000; {
			taken, moved, err := fair.Take(tx, noon.Add(time.Hour), &turns, 9, guard)
			require.NoError(t, err)
			require.Empty(t, taken)
			require.Positive(t, moved)
			require.Less(t, moved, 600)
			parked = keysOf(t, tx, "fp")
		}
		for steps := 0; ; steps++ {
			require.Less(t, steps, 20)
			done, err := fair.Wake(tx, until)
			require.NoError(t, err)
			require.LessOrEqual(t, done, 101)
			if done == 0 {
				break
			}
		}
		require.Len(t, takeFrom(t, tx, &turns, 2000, store.Guard{}), 1000)
		_, _, err := fair.Take(tx, until, &turns, 1, store.Guard{})
		require.NoError(t, err)
		empty(t, tx)
	})
}

// A second block of the same name may begin while the lanes of the first are brought back. What it parks stays
// parked until its own end, or until it is lifted. Otherwise a lane would be brought back and parked again without
// end.
func TestFairQueueBlockedAnew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		lifted bool
	}{{"until its end", false}, {"until it is lifted", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				const lanes = 250
				for i := range lanes {
					queued(t, tx, noon, fmt.Sprintf("a/%03d/%03d", i, i))
				}
				var turns store.Turns
				block := store.Block{Name: "b", Until: noon.Add(time.Hour)}
				guard := store.Guard{LaneBlock: func(store.Spot) (store.Block, error) { return block, nil }}
				// rounds wakes and parks until neither finds anything, and returns how much they did.
				rounds := func(now time.Time) (did int) {
					for range 20 {
						woken, err := fair.Wake(tx, now)
						require.NoError(t, err)
						taken, moved, err := fair.Take(tx, now, &turns, lanes, guard)
						require.NoError(t, err)
						if woken+moved+len(taken) == 0 {
							return did
						}
						did += woken + moved + len(taken)
					}
					t.Fatal("lanes are parked and brought back without end")
					return 0
				}
				now := block.Until
				rounds(noon)
				require.Equal(t, lanes, keysOf(t, tx, "fp"))
				block.Until = now.Add(time.Hour)
				if c.lifted { // while a part of the first block still has to come back
					_, err := fair.Wake(tx, now)
					require.NoError(t, err)
					_, _, err = fair.Take(tx, now, &turns, lanes, guard)
					require.NoError(t, err)
					require.NoError(t, fair.Lift(tx, "b", now))
				} else {
					require.Less(t, rounds(now), 3*lanes, "each lane is moved once")
					require.Equal(t, lanes, keysOf(t, tx, "fp"))
					now = block.Until
				}
				block = store.Block{}
				rounds(now)
				empty(t, tx)
			})
		})
	}
}

func keysOf(t *testing.T, r store.Reader, name string) (n int) {
	t.Helper()
	for entry := range r.Scan(store.Range{Prefix: store.Key(name), Limit: 10_000}) {
		require.NoError(t, entry.Err)
		n++
	}
	return n
}

// A group that has its share of work under way is passed over, and nothing of it is written.
func TestFairQueuePassesOver(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		queued(t, tx, noon, "a/x/a1", "b/x/b1", "b/y/b2")
		guard := store.Guard{
			Group: func(group string) bool { return group != "a" },
			Lane:  func(s store.Spot) bool { return s.Lane != "x" },
		}
		var turns store.Turns
		require.Equal(t, []string{"b2"}, takeFrom(t, tx, &turns, 9, guard))
		offers, err := fair.Offers(tx, noon.Add(time.Hour), &turns, guard)
		require.NoError(t, err)
		require.False(t, offers)
		require.ElementsMatch(t, []string{"a1", "b1"}, takeFrom(t, tx, &turns, 9, store.Guard{}))
	})
}

// Oldest finds the item that waits longest, in whatever lane it is, and without any the next one to come.
func TestFairQueueOldest(t *testing.T) {
	t.Parallel()
	q, s := store.FairQueue{Name: "qx"}, memory.New()
	now := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)
	oldest := func() (at time.Time) {
		require.NoError(t, s.View(t.Context(), func(r store.Reader) (err error) {
			at, err = q.Oldest(r, 10)
			return err
		}))
		return at
	}
	put := func(group, lane, id string, due time.Time) {
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
			return q.Put(tx, store.Spot{Group: group, Lane: lane}, id, due, now)
		}))
	}
	require.Zero(t, oldest())
	put("a", "1", "later", now.Add(time.Hour))
	require.Equal(t, now.Add(time.Hour), oldest())
	for i, due := range []time.Duration{-3, -2, -5, -4, -9} { // in five lanes of three groups
		put(string(rune('a'+i/2)), string(rune('1'+i)), "due", now.Add(due*time.Minute))
		put(string(rune('a'+i/2)), string(rune('1'+i)), "newer", now.Add(-time.Second))
	}
	require.Equal(t, now.Add(-9*time.Minute), oldest())
}
