package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// comparisons are the ways in which what a function has read from memory is compared.
var comparisons = []struct {
	name string
	run  func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error
}{
	{"a View", func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error {
		return s.View(ctx, read)
	}},
	{"a View that reads on", func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error {
		return s.View(ctx, then(read, readsOther))
	}},
	{"a View that scans", func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error {
		return s.View(ctx, then(read, scansAll))
	}},
	{"an Update that writes nothing", func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error {
		return s.Update(ctx, func(tx store.Tx) error { return read(tx) })
	}},
	{"an Update that writes", func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error {
		return s.Update(ctx, func(tx store.Tx) error { return then(read, writesOne)(tx) })
	}},
	{"an Update that scans", func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error {
		return s.Update(ctx, func(tx store.Tx) error { return then(read, scansAll)(tx) })
	}},
	{"a request", func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error {
		return s.Presume(ctx, func(ctx context.Context) error { return s.View(ctx, read) })
	}},
	{"a request that writes", func(ctx context.Context, s *postgres.Store, read func(store.Reader) error) error {
		return s.Presume(ctx, func(ctx context.Context) error {
			if err := s.View(ctx, read); err != nil {
				return err
			}
			return s.Update(ctx, func(tx store.Tx) error { return writesOne(tx) })
		})
	}},
}

// then is two functions, one after the other.
func then(one, other func(store.Reader) error) func(store.Reader) error {
	return func(r store.Reader) error {
		if err := one(r); err != nil {
			return err
		}
		return other(r)
	}
}

func readsOther(r store.Reader) error { _, err := text(r, "other"); return err }

func scansAll(r store.Reader) error {
	_, err := count(r, store.Range{Prefix: []byte("k"), Limit: 50})
	return err
}

func writesOne(r store.Reader) error { return r.(store.Tx).Put([]byte("written"), []byte("w")) }

// TestEachReadIsCompared: of several keys that a function has read from memory one has changed, be it the first, the
// last or one between. The function runs again, once.
func TestEachReadIsCompared(t *testing.T) {
	t.Parallel()
	for _, way := range comparisons {
		for _, n := range []int{2, 3, 8, 9, 16, 17} {
			for _, changed := range []int{0, n / 2, n - 1} {
				t.Run(fmt.Sprintf("%s/%d of %d", way.name, changed, n), func(t *testing.T) {
					t.Parallel()
					s, other := two(t)
					keys := make([]string, n)
					require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
						for i := range keys {
							keys[i] = fmt.Sprintf("k%02d", i)
							if err := tx.Put([]byte(keys[i]), []byte("old")); err != nil {
								return err
							}
						}
						return nil
					}))
					require.NoError(t, other.Update(t.Context(), func(tx store.Tx) error {
						return tx.Put([]byte(keys[changed]), []byte("new"))
					}))
					var runs [][]string
					require.NoError(t, way.run(t.Context(), s, func(r store.Reader) error {
						read := make([]string, n)
						for i := range read {
							var err error
							if read[i], err = text(r, keys[i]); err != nil {
								return err
							}
						}
						runs = append(runs, read)
						return nil
					}))
					before := slices.Repeat([]string{"old"}, n)
					after := slices.Clone(before)
					after[changed] = "new"
					require.Equal(t, [][]string{before, after}, runs)
				})
			}
		}
	}
}
