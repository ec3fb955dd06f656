package store_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// between runs a function after the plan is made and before it is carried out.
type between struct {
	store.Store
	once sync.Once
	do   func()
}

func (b *between) Update(ctx context.Context, fn func(store.Tx) error) error {
	b.once.Do(b.do)
	return b.Store.Update(ctx, fn)
}

// betweenShared is between over a store that offers Share.
type betweenShared struct{ *between }

func (b betweenShared) Share(ctx context.Context, fn func(store.Tx) error) error {
	return b.Update(ctx, fn)
}

func put(t *testing.T, s store.Store, key, value string) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.Put([]byte(key), []byte(value)) }))
}

func get(t *testing.T, s store.Store, key string) (value string) {
	t.Helper()
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		bytes, err := r.Get([]byte(key))
		value = string(bytes)
		return err
	}))
	return value
}

// eachWay runs a test over a store that offers Share, and over one that does not.
func eachWay(t *testing.T, name string, test func(t *testing.T, over func(*between) store.Store)) {
	for way, over := range map[string]func(*between) store.Store{
		"update": func(b *between) store.Store { return b },
		"share":  func(b *between) store.Store { return betweenShared{b} },
	} {
		t.Run(name+"/"+way, func(t *testing.T) {
			t.Parallel()
			test(t, over)
		})
	}
}

func TestOptimisticRunsAgainWhenAReadChanged(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		before func(*testing.T, store.Store) // what another transaction does in between
		runs   int
		want   string
	}{
		{"nothing changed", func(*testing.T, store.Store) {}, 1, "a+"},
		{"another key changed", func(t *testing.T, s store.Store) { put(t, s, "other", "x") }, 1, "a+"},
		{"the key it read changed", func(t *testing.T, s store.Store) { put(t, s, "k", "b") }, 2, "b+"},
		{"an absent key that it read appeared", func(t *testing.T, s store.Store) { put(t, s, "absent", "x") }, 2, "a+"},
	}
	for _, c := range cases {
		eachWay(t, c.name, func(t *testing.T, over func(*between) store.Store) {
			inner := memory.New()
			put(t, inner, "k", "a")
			s := over(&between{Store: inner, do: func() { c.before(t, inner) }})
			runs := 0
			require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
				runs++
				value, err := tx.Get([]byte("k"))
				if err != nil {
					return err
				}
				if _, err := tx.Get([]byte("absent")); err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				return tx.Put([]byte("k"), append(value, '+'))
			}))
			require.Equal(t, c.runs, runs)
			require.Equal(t, c.want, get(t, inner, "k"))
		})
	}
}

// twice runs every function twice over the same snapshot, as a back end may.
type twice struct{ store.Store }

func (s twice) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.Store.View(ctx, func(r store.Reader) error { return errors.Join(fn(r), fn(r)) })
}

func TestOptimisticForgetsAnEarlierRun(t *testing.T) {
	t.Parallel()
	inner := memory.New()
	put(t, inner, "k", "a")
	require.NoError(t, store.Optimistic(t.Context(), twice{inner}, func(tx store.Tx) error {
		value, err := tx.Get([]byte("k"))
		if err != nil {
			return err
		}
		return tx.Put([]byte("k"), append(value, '+'))
	}))
	require.Equal(t, "a+", get(t, inner, "k"))
}

func TestOptimisticInsertLosesToAnotherInsert(t *testing.T) {
	t.Parallel()
	inner := memory.New()
	s := &between{Store: inner, do: func() { put(t, inner, "k", "theirs") }}
	err := store.Optimistic(t.Context(), s, func(tx store.Tx) error { return tx.Insert([]byte("k"), []byte("mine")) })
	require.ErrorIs(t, err, store.ErrExists)
	require.Equal(t, "theirs", get(t, inner, "k"))
}

func TestOptimisticSeesItsOwnWrites(t *testing.T) {
	t.Parallel()
	s := memory.New()
	put(t, s, "k", "a")
	require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
		require.NoError(t, tx.Put([]byte("n"), []byte("1")))
		value, err := tx.Get([]byte("n"))
		require.NoError(t, err)
		require.Equal(t, "1", string(value))
		require.ErrorIs(t, tx.Insert([]byte("n"), []byte("2")), store.ErrExists)
		require.NoError(t, tx.Delete([]byte("k")))
		_, err = tx.Get([]byte("k"))
		require.ErrorIs(t, err, store.ErrNotFound)
		return tx.Insert([]byte("k"), []byte("b"))
	}))
	require.Equal(t, "b", get(t, s, "k"))
}

func TestOptimisticErrorWritesNothing(t *testing.T) {
	t.Parallel()
	s := memory.New()
	put(t, s, "k", "a")
	refused := errors.New("refused")
	err := store.Optimistic(t.Context(), s, func(tx store.Tx) error {
		require.NoError(t, tx.Put([]byte("k"), []byte("b")))
		return refused
	})
	require.ErrorIs(t, err, refused)
	require.Equal(t, "a", get(t, s, "k"))
}

func TestOptimisticLosesNoUpdate(t *testing.T) {
	t.Parallel()
	s := memory.New()
	put(t, s, "n", "0")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 200 {
				require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
					value, err := tx.Get([]byte("n"))
					if err != nil {
						return err
					}
					n, err := strconv.Atoi(string(value))
					if err != nil {
						return err
					}
					return tx.Put([]byte("n"), []byte(strconv.Itoa(n+1)))
				}))
			}
		})
	}
	all.Wait()
	require.Equal(t, "3200", get(t, s, "n"))
}

// Bytes belong to the caller: a later change of them affects neither the check nor the write.
func TestOptimisticBytesBelongToTheCaller(t *testing.T) {
	t.Parallel()
	s := memory.New()
	put(t, s, "k", "abc")
	runs := 0
	require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
		runs++
		value, err := tx.Get([]byte("k"))
		if err != nil {
			return err
		}
		mine := []byte("new")
		if err := tx.Put([]byte("w"), mine); err != nil {
			return err
		}
		copy(mine, "xxx")
		copy(value, "xxx")
		return nil
	}))
	require.Equal(t, 1, runs)
	require.Equal(t, "new", get(t, s, "w"))
}

// Both back ends of the library lend values and carry plans out without copying. For a back end that does not offer
// that, Get, Put and Delete have the same result.
func TestOptimisticWithoutFrugal(t *testing.T) {
	t.Parallel()
	for _, s := range []store.Store{memory.New(), plainStore{memory.New()}} {
		put(t, s, "gone", "x")
		put(t, s, "kept", "")
		require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
			value, err := tx.Get([]byte("kept"))
			if err != nil {
				return err
			}
			_, err = tx.Get([]byte("absent"))
			require.ErrorIs(t, err, store.ErrNotFound)
			return errors.Join(tx.Delete([]byte("gone")), tx.Put([]byte("new"), append(value, 'n')),
				tx.Put([]byte("empty"), []byte{}))
		}))
		require.Equal(t, "n", get(t, s, "new"))
		require.Empty(t, get(t, s, "empty"))
		require.ErrorIs(t, s.View(t.Context(), func(r store.Reader) error {
			_, err := r.Get([]byte("gone"))
			return err
		}), store.ErrNotFound)
	}
}

// plainStore offers only the methods of the port.
type plainStore struct{ store.Store }

func (p plainStore) View(ctx context.Context, fn func(store.Reader) error) error {
	return p.Store.View(ctx, func(r store.Reader) error { return fn(struct{ store.Reader }{r}) })
}

func (p plainStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return p.Store.Update(ctx, func(tx store.Tx) error { return fn(struct{ store.Tx }{tx}) })
}

// torn is a store whose Update runs fn over a value that is not there, drops what it did, and runs it again.
type torn struct{ store.Store }

func (s torn) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.Store.Update(ctx, func(tx store.Tx) error {
		_ = fn(tornTx{tx})
		return fn(tx)
	})
}

type tornTx struct{ store.Tx }

func (tornTx) Get([]byte) ([]byte, error) { return []byte("wrong"), nil }

func (tornTx) Put([]byte, []byte) error { return nil }

// What fn has set outside is that of the run that counts, also when the plan stands after another run.
func TestOptimisticAfterATornRun(t *testing.T) {
	t.Parallel()
	s := torn{memory.New()}
	require.NoError(t, s.Store.Update(t.Context(), func(tx store.Tx) error {
		return tx.Put([]byte("k"), []byte("right"))
	}))
	var read string
	require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
		value, err := tx.Get([]byte("k"))
		read = string(value)
		return errors.Join(err, tx.Put([]byte("seen"), value))
	}))
	require.Equal(t, "right", read)
}
