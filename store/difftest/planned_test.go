package difftest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/difftest"
	"github.com/tollgatepay/gateway/store/memory"
)

// planned is a store whose every Update is planned first.
type planned struct{ store.Store }

// errStop ends a function at a scan that is not planned, since the functions of the tests go on after an error.
var errStop = errors.New("not planned")

func (p planned) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := store.Optimistic(ctx, p.Store, func(tx store.Tx) (err error) {
		defer func() {
			if thrown := recover(); thrown == errStop {
				err = errStop
			} else if thrown != nil {
				panic(thrown)
			}
		}()
		return fn(stopping{tx})
	})
	if err == nil {
		err = ctx.Err() // a plan without writes is a View, which need not notice that its context has ended
	}
	return err
}

type stopping struct{ store.Tx }

func (s stopping) Scan(rg store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		for entry := range s.Tx.Scan(rg) {
			if entry.Err != nil && !errors.Is(entry.Err, store.ErrDone) {
				panic(errStop)
			}
			if !yield(entry) {
				return
			}
		}
	}
}

// TestPlannedIsTheSame: planned or not, the same lists give the same answers.
func TestPlannedIsTheSame(t *testing.T) {
	t.Parallel()
	for seed := range lists / 4 / share() {
		err := difftest.Compare(t.Context(), difftest.Random(seed), &difftest.Subject{Name: "memory", Store: memory.New()},
			&difftest.Subject{Name: "planned", Store: planned{memory.New()}})
		require.NoError(t, err, fmt.Sprintf("difftest.Random(%d)", seed))
	}
}

// Each transaction adds an entry if it sees fewer than three, and there are never more. Plans run side by side.
func TestPlannedHasNoPhantoms(t *testing.T) {
	t.Parallel()
	for _, s := range []store.Store{memory.New(), onFile(t).Store} {
		for round := range 20 {
			all := store.Range{Prefix: fmt.Appendf(nil, "p%02d/", round), Limit: 9}
			var running sync.WaitGroup
			for i := range byte(16) {
				running.Go(func() {
					err := store.Optimistic(t.Context(), s, func(tx store.Tx) error {
						if n, err := count(tx, all); err != nil || n >= 3 {
							return err
						}
						return tx.Insert(append(bytes.Clone(all.Prefix), i), []byte("x"))
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			running.Wait()
			require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
				n, err := count(r, all)
				require.Equal(t, 3, n)
				return err
			}))
		}
	}
}

func count(r store.Reader, rg store.Range) (n int, err error) {
	for entry := range r.Scan(rg) {
		if entry.Err != nil {
			return n, entry.Err
		}
		n++
	}
	return n, nil
}
