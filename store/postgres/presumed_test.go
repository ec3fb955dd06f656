package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// request is what a request has read by a View, and what it goes on with.
type request struct {
	s       *postgres.Store
	read    string
	effects *[]string // outside of the store
}

func (r request) write(ctx context.Context, key string, end error) error {
	return r.s.Update(ctx, func(tx store.Tx) error {
		return errors.Join(tx.Put([]byte(key), []byte(r.read)), end)
	})
}

// requests go on after a View in every way. asks is how often one asks the server outside of turns, if all that it has
// read is the present: the View alone would ask once.
var requests = []struct {
	name   string
	goesOn func(ctx context.Context, r request) error
	err    error
	seen   bool // it has stored what it read
	asks   int64
}{
	{name: "ends", goesOn: func(context.Context, request) error { return nil }, asks: 1},
	{name: "fails", goesOn: func(context.Context, request) error { return errOwn }, err: errOwn, asks: 1},
	{name: "panics", goesOn: func(_ context.Context, r request) error { panic(r.read) }, asks: 1},
	{name: "writes", goesOn: func(ctx context.Context, r request) error { return r.write(ctx, "seen", nil) }, seen: true},
	{name: "plans", goesOn: func(ctx context.Context, r request) error {
		return store.Optimistic(ctx, r.s, func(tx store.Tx) error { return tx.Put([]byte("seen"), []byte(r.read)) })
	}, seen: true},
	{name: "writes over it", goesOn: func(ctx context.Context, r request) error {
		return errors.Join(r.write(ctx, "k", nil), r.write(ctx, "seen", nil))
	}, seen: true},
	{name: "reads it again and writes", goesOn: func(ctx context.Context, r request) error {
		return r.s.Update(ctx, func(tx store.Tx) error {
			read, err := text(tx, "k")
			return errors.Join(err, tx.Put([]byte("seen"), []byte(read)))
		})
	}, seen: true},
	{name: "writes and fails", goesOn: func(ctx context.Context, r request) error { return r.write(ctx, "seen", errOwn) },
		err: errOwn, asks: 1},
	{name: "writes nothing in an Update", goesOn: func(ctx context.Context, r request) error {
		return r.s.Update(ctx, func(store.Tx) error { return nil })
	}, asks: 1},
	{name: "fails, and then writes", goesOn: func(ctx context.Context, r request) error {
		_ = r.write(ctx, "never", errOwn)
		return r.write(ctx, "seen", nil)
	}, seen: true, asks: 1},
	{name: "takes no notice of an error", goesOn: func(ctx context.Context, r request) error {
		_ = r.write(ctx, "seen", nil)
		_ = r.write(ctx, "also", nil)
		return nil
	}, seen: true},
	{name: "has an effect", goesOn: func(ctx context.Context, r request) error {
		err := r.s.Confirm(ctx)
		if err == nil {
			*r.effects = append(*r.effects, r.read)
		}
		return err
	}, asks: 1},
	{name: "has an effect and writes", goesOn: func(ctx context.Context, r request) error {
		if err := r.s.Confirm(ctx); err != nil {
			return err
		}
		*r.effects = append(*r.effects, r.read)
		return r.write(ctx, "seen", nil)
	}, seen: true, asks: 1},
	{name: "views it again", goesOn: func(ctx context.Context, r request) error {
		return r.s.View(ctx, func(tx store.Reader) error { _, err := text(tx, "k"); return err })
	}, asks: 1},
	{name: "views more", goesOn: func(ctx context.Context, r request) error {
		return r.s.View(ctx, func(tx store.Reader) error { _, err := text(tx, "new"); return err })
	}, asks: 2},
	{name: "is begun again within", goesOn: func(ctx context.Context, r request) error {
		return r.s.Presume(ctx, func(ctx context.Context) error { return r.write(ctx, "seen", nil) })
	}, seen: true},
}

// attend runs a request that goes on in one way, and returns what it has read, each time.
func attend(ctx context.Context, s *postgres.Store, effects *[]string,
	goesOn func(context.Context, request) error) (reads []string, panicked, err error) {
	did, err := outcome(func() error {
		return s.Presume(ctx, func(ctx context.Context) error {
			var read string
			if err := s.View(ctx, func(r store.Reader) (err error) {
				read, err = text(r, "k")
				return err
			}); err != nil {
				return err
			}
			reads = append(reads, read)
			return goesOn(ctx, request{s, read, effects})
		})
	})
	if did != nil {
		panicked = errors.New(did.(string))
	}
	return reads, panicked, err
}

// TestPresumedIsCompared: a request reads from memory what another instance has changed. However it goes on, nothing
// comes of it, and it runs again over what is there.
func TestPresumedIsCompared(t *testing.T) {
	t.Parallel()
	for _, known := range stale {
		for _, c := range requests {
			t.Run(known.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				s, other := two(t)
				known.remember(t, s, other)
				require.NoError(t, other.Update(t.Context(), known.change))
				var effects []string
				reads, panicked, err := attend(t.Context(), s, &effects, c.goesOn)
				require.Equal(t, []string{known.old, known.now}, reads)
				require.ErrorIs(t, err, c.err)
				if c.name == "panics" {
					require.EqualError(t, panicked, known.now)
				}
				seen := "absent"
				if c.seen {
					seen = known.now
				}
				require.Equal(t, seen, textIn(t, other, "seen"))
				require.Equal(t, "absent", textIn(t, other, "never"))
				for _, effect := range effects {
					require.Equal(t, known.now, effect)
				}
			})
		}
	}
}

// TestPresumedIsUsed: what is remembered and true is good for the whole request, which asks the server for it once at
// most, and not at all if it writes.
func TestPresumedIsUsed(t *testing.T) {
	t.Parallel()
	for _, c := range requests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := two(t)
			require.NoError(t, s.Update(t.Context(), putting("mine")))
			require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.Delete([]byte("seen")) }))
			var effects []string
			before := s.Asked()
			reads, panicked, err := attend(t.Context(), s, &effects, c.goesOn)
			require.Equal(t, []string{"mine"}, reads)
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.name == "panics", panicked != nil)
			require.Equal(t, c.asks, s.Asked()-before)
			require.LessOrEqual(t, len(effects), 1)
		})
	}
}

// TestNothingIsPresumedLater: once a request has stored something it cannot run again, so that its Views are compared,
// as are those of its context when it is over.
func TestNothingIsPresumedLater(t *testing.T) {
	t.Parallel()
	s, other := two(t)
	knows("old")(t, s, other)
	var of context.Context
	runs := 0
	require.NoError(t, s.Presume(t.Context(), func(ctx context.Context) error {
		of = ctx
		runs++
		require.NoError(t, s.Update(ctx, func(tx store.Tx) error { return tx.Put([]byte("seen"), nothing) }))
		require.NoError(t, other.Update(t.Context(), putting("new")))
		require.Equal(t, "new", foundIn(ctx, t, s))
		return nil
	}))
	require.Equal(t, 1, runs)
	require.NoError(t, other.Update(t.Context(), putting("newest")))
	require.Equal(t, "newest", foundIn(of, t, s))
	require.NoError(t, s.Presume(t.Context(), func(ctx context.Context) error {
		of = ctx
		foundIn(ctx, t, s)
		return nil
	}))
	require.NoError(t, s.View(of, func(store.Reader) error { return nil }))
	require.NoError(t, other.Update(t.Context(), putting("last")))
	require.Equal(t, "last", foundIn(of, t, s))
}

// TestPresumedOnce: a request that has read two values of one key from memory, the second one after its instance has
// written it, does not count by the second.
func TestPresumedOnce(t *testing.T) {
	t.Parallel()
	s, _ := two(t)
	require.NoError(t, s.Update(t.Context(), putting("old")))
	runs := 0
	require.NoError(t, s.Presume(t.Context(), func(ctx context.Context) error {
		runs++
		read := foundIn(ctx, t, s)
		if runs == 1 {
			require.NoError(t, s.Update(t.Context(), putting("new")))
		}
		require.Equal(t, "new", foundIn(ctx, t, s))
		return request{s: s, read: read}.write(ctx, "seen", nil)
	}))
	require.Equal(t, 2, runs)
	require.Equal(t, "new", textIn(t, s, "seen"))
}

// foundIn returns what a View of a request finds.
func foundIn(ctx context.Context, t *testing.T, s *postgres.Store) (read string) {
	t.Helper()
	require.NoError(t, s.View(ctx, func(r store.Reader) (err error) {
		read, err = text(r, "k")
		return err
	}))
	return read
}

// TestPresumedBesideAnEnd: a request whose context has ended is told so and nothing else, since what it has read can
// no longer be compared. One whose commit has an unknown outcome does not run again, also where that may have changed
// what it had read.
func TestPresumedBesideAnEnd(t *testing.T) {
	t.Parallel()
	t.Run("of its context", func(t *testing.T) {
		t.Parallel()
		s, other := two(t)
		knows("old")(t, s, other)
		ctx, cancel := context.WithCancel(t.Context())
		reads, _, err := attend(ctx, s, nil, func(context.Context, request) error { cancel(); return errOwn })
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, []string{"old"}, reads)
	})
	t.Run("that is unknown, of what it has overwritten", func(t *testing.T) {
		t.Parallel()
		server := newServer(t)
		scissors := &scissors{after: sync.OnceFunc(func() { _ = server.Kill() })}
		s, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL(), Connections: 6, Adjust: scissors.adjust,
			Patience: 2 * time.Second})
		require.NoError(t, err)
		require.NoError(t, s.Update(t.Context(), putting("old")))
		scissors.arm(-1, 0)
		reads, _, err := attend(t.Context(), s, nil, func(ctx context.Context, r request) error {
			err := s.Update(ctx, putting("new"))
			require.ErrorIs(t, err, store.ErrUnknownCommit)
			require.NoError(t, server.Start(nil))
			return err
		})
		require.ErrorIs(t, err, store.ErrUnknownCommit)
		require.Equal(t, []string{"old"}, reads)
		require.NoError(t, s.Close())
	})
	t.Run("that is unknown", func(t *testing.T) {
		t.Parallel()
		schema := newSchema(t)
		s := openPatient(t, schema)
		require.NoError(t, s.Update(t.Context(), putting("mine")))
		letGo := hold(t, shared.URL(), "select "+schema+".turn()")
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for waitingFor(t, schema) == 0 {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		var reads []string
		err := within(t, 20*time.Second, func() (err error) {
			reads, _, err = attend(ctx, s, nil, func(ctx context.Context, r request) error { return r.write(ctx, "seen", nil) })
			return err
		})
		require.ErrorIs(t, err, store.ErrUnknownCommit)
		require.Equal(t, []string{"mine"}, reads)
		letGo()
	})
}
