package postgres_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// pair is two instances on a schema of the shared server.
type pair [2]*postgres.Store

// pairs are those that no test has at the moment: to open two instances takes longer than most of what is done with
// them.
var pairs struct {
	sync.Mutex
	idle []pair
}

// two returns the instances of a pair.
func two(t testing.TB) (one, other *postgres.Store) {
	t.Helper()
	p := lend(t)
	return p[0], p[1]
}

// lend returns a pair until the test ends. It is like new: its schema is empty, and the instances remember nothing.
// They may be closed.
func lend(t testing.TB) pair {
	t.Helper()
	p, ok := takePair()
	if !ok {
		schema := newName()
		for i := range p {
			p[i] = openIn(t, schema)
		}
	}
	t.Cleanup(func() { p.end(t) })
	return p
}

func takePair() (p pair, ok bool) {
	pairs.Lock()
	defer pairs.Unlock()
	n := len(pairs.idle)
	if n == 0 {
		return p, false
	}
	p, pairs.idle = pairs.idle[n-1], pairs.idle[:n-1]
	return p, true
}

// end keeps a pair for the next test, unless this one has failed or closed a store of it.
func (p pair) end(t testing.TB) {
	schema := p[0].Schema()
	if t.Failed() || slices.ContainsFunc(p[:], isClosed) {
		require.NoError(t, p.close())
		execute(t, shared.URL(), "drop schema "+schema+" cascade")
		return
	}
	execute(t, shared.URL(), "delete from "+schema+".records")
	for _, s := range p {
		s.Forget()
	}
	pairs.Lock()
	defer pairs.Unlock()
	pairs.idle = append(pairs.idle, p)
}

func isClosed(s *postgres.Store) bool {
	return errors.Is(s.View(context.Background(), func(store.Reader) error { return nil }), store.ErrClosed)
}

func (p pair) close() error { return errors.Join(p[0].Close(), p[1].Close()) }

// closePairs closes those that are left after all tests.
func closePairs() (err error) {
	for p, ok := takePair(); ok; p, ok = takePair() {
		err = errors.Join(err, p.close())
	}
	return err
}
