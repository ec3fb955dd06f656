package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// stale is what an instance remembers, and what another has done since.
var stale = []struct {
	name     string
	remember func(t *testing.T, s, other *postgres.Store) // s knows something under k
	change   func(tx store.Tx) error                      // by the other
	old, now string
}{
	{"a value that has changed", knows("old"), putting("new"), "old", "new"},
	{"a value that is gone", knows("old"), func(tx store.Tx) error { return tx.Delete([]byte("k")) }, "old", "absent"},
	{"a value of its own that has changed", func(t *testing.T, s, _ *postgres.Store) {
		require.NoError(t, s.Update(t.Context(), putting("old")))
	}, putting("new"), "old", "new"},
	{"a key that it has deleted and another has put", func(t *testing.T, s, _ *postgres.Store) {
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.Delete([]byte("k")) }))
	}, putting("new"), "absent", "new"},
	{"a key that is likely to be absent, as its like are", func(t *testing.T, s, _ *postgres.Store) {
		for i := range 9 {
			require.Equal(t, "absent", textIn(t, s, fmt.Sprintf("k\x00%d", i)))
		}
	}, putting("new"), "absent", "new"},
}

func putting(value string) func(store.Tx) error {
	return func(tx store.Tx) error { return tx.Put([]byte("k"), []byte(value)) }
}

// knows lets the other put a value, and the store read it.
func knows(value string) func(t *testing.T, s, other *postgres.Store) {
	return func(t *testing.T, s, other *postgres.Store) {
		require.NoError(t, other.Update(t.Context(), putting(value)))
		require.Equal(t, value, textIn(t, s, "k"))
	}
}

// text returns the value under a key as a word.
func text(r store.Reader, key string) (string, error) {
	value, err := r.Get([]byte(key))
	if errors.Is(err, store.ErrNotFound) {
		return "absent", nil
	}
	return string(value), err
}

func textIn(t *testing.T, s *postgres.Store, key string) (found string) {
	t.Helper()
	require.NoError(t, s.View(t.Context(), func(r store.Reader) (err error) {
		found, err = text(r, key)
		return err
	}))
	return found
}

var errOwn = errors.New("own")

// ends are what a function may do with what it has read. Each result shows what that was.
var ends = []struct {
	name string
	end  func(r store.Reader, read string) error
	view bool // also in a View
}{
	{"writes", func(r store.Reader, read string) error { return r.(store.Tx).Put([]byte("seen"), []byte(read)) }, false},
	{"writes over it", func(r store.Reader, read string) error { return r.(store.Tx).Put([]byte("k"), []byte(read)) }, false},
	{"writes nothing", func(store.Reader, string) error { return nil }, true},
	{"fails", func(store.Reader, string) error { return errOwn }, true},
	{"writes and fails", func(r store.Reader, read string) error {
		return errors.Join(r.(store.Tx).Put([]byte("seen"), []byte(read)), errOwn)
	}, false},
	{"panics", func(_ store.Reader, read string) error { panic(read) }, true},
	{"reads on", func(r store.Reader, _ string) error { _, err := text(r, "other"); return err }, true},
	{"scans", func(r store.Reader, _ string) error {
		_, err := count(r, store.Range{Prefix: []byte("k"), Limit: 5})
		return err
	}, true},
	{"takes no notice of errors", func(r store.Reader, _ string) error { _, _ = text(r, "other"); return nil }, true},
}

// ways to run a function that reads, with what it reads from. A View and an Update begin with what the instance
// remembers.
var memoryDoors = []struct {
	name string
	view bool
	run  func(ctx context.Context, s *postgres.Store, fn func(store.Reader) error) error
}{
	{"View", true, func(ctx context.Context, s *postgres.Store, fn func(store.Reader) error) error {
		return s.View(ctx, fn)
	}},
	{"Update", false, func(ctx context.Context, s *postgres.Store, fn func(store.Reader) error) error {
		return s.Update(ctx, func(tx store.Tx) error { return fn(tx) })
	}},
	{"Optimistic", false, func(ctx context.Context, s *postgres.Store, fn func(store.Reader) error) error {
		return store.Optimistic(ctx, s, func(tx store.Tx) error { return fn(tx) })
	}},
}

// TestMemoryIsCompared: what an instance remembers is not the present value. Whatever a function does with it, by
// every door, nothing comes of it: the function runs again over what is there.
func TestMemoryIsCompared(t *testing.T) {
	t.Parallel()
	for _, door := range memoryDoors {
		for _, c := range stale {
			for _, end := range ends {
				if door.view && !end.view {
					continue
				}
				t.Run(door.name+"/"+c.name+"/"+end.name, func(t *testing.T) {
					t.Parallel()
					s, other := two(t)
					c.remember(t, s, other)
					require.NoError(t, other.Update(t.Context(), c.change))
					var reads []string
					run := func() error {
						return door.run(t.Context(), s, func(r store.Reader) error {
							read, err := text(r, "k")
							if err != nil {
								return err
							}
							reads = append(reads, read)
							return end.end(r, read)
						})
					}
					panicked, err := outcome(run)
					require.Equal(t, []string{c.old, c.now}, reads)
					switch end.name {
					case "panics":
						require.Equal(t, c.now, panicked)
					case "fails", "writes and fails":
						require.ErrorIs(t, err, errOwn)
					default:
						require.NoError(t, err)
						require.Nil(t, panicked)
					}
					seen := "absent"
					if end.name == "writes" {
						seen = c.now
					}
					require.Equal(t, seen, textIn(t, other, "seen"))
				})
			}
		}
	}
}

// outcome runs a function on a goroutine of its own, which it may end.
func outcome(run func() error) (panicked any, err error) {
	elsewhere(func() {
		defer func() { panicked = recover() }()
		err = run()
	})
	return panicked, err
}

// What is remembered and true is used, and costs one round trip for a View and none for an Update before its commit.
func TestMemoryIsUsed(t *testing.T) {
	t.Parallel()
	s := open(t, newSchema(t))
	require.NoError(t, s.Update(t.Context(), putting("mine")))
	for _, door := range memoryDoors {
		t.Run(door.name, func(t *testing.T) {
			before, runs := s.Asked(), 0
			require.NoError(t, door.run(t.Context(), s, func(r store.Reader) error {
				runs++
				read, err := text(r, "k")
				require.Equal(t, "mine", read)
				if tx, ok := r.(store.Tx); ok && err == nil {
					return tx.Put([]byte("next"), nothing)
				}
				return err
			}))
			require.Equal(t, 1, runs)
			asked := int64(0)
			if door.view {
				asked = 1
			}
			require.Equal(t, asked, s.Asked()-before)
		})
	}
}

// Instances that change one key in turns do not lose against each other each time: the key is asked for.
func TestMovedKeysAreAskedFor(t *testing.T) {
	t.Parallel()
	both := lend(t)
	const changes = 40
	for i := range changes {
		require.NoError(t, both[i%2].Update(t.Context(), increment("shared")))
	}
	require.Equal(t, changes, numberIn(t, both[0], "shared"))
	for _, s := range both {
		_, _, conflicts, _ := s.Counts()
		require.LessOrEqual(t, conflicts, int64(2))
	}
	for range 10 { // one alone remembers again
		require.NoError(t, both[0].Update(t.Context(), increment("shared")))
	}
	asked := both[0].Asked()
	require.NoError(t, both[0].Update(t.Context(), increment("shared")))
	require.Equal(t, asked, both[0].Asked())
}

// The memory has an end: old entries go, and what is too large does not come in.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	m := postgres.Memory()
	for i := range 100_000 {
		m.Wrote(store.NewPair(fmt.Appendf(nil, "key%d", i), make([]byte, 1000)))
	}
	require.LessOrEqual(t, m.Bytes(), 2*postgres.RecentBytes)
	require.Greater(t, m.Bytes(), postgres.RecentBytes/2)
	_, known := m.Recall("key99999")
	require.True(t, known)
	_, known = m.Recall("key1")
	require.False(t, known)
	m.Wrote(store.NewPair([]byte("key99999"), make([]byte, 100_000)))
	_, known = m.Recall("key99999")
	require.False(t, known, "the old value does not stay")
}
