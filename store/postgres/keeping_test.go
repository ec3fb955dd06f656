package postgres_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// keptBy are the settings by which a server keeps what it has acknowledged, and what a refusal says of them. They reach
// sessions that are open too.
var keptBy = map[string]string{"fsync": "set fsync = on", "full_page_writes": "set full_page_writes = on"}

// reload sets a setting of a server that runs, and returns when new sessions have it.
func reload(t *testing.T, c *cluster.Cluster, setting, value string) {
	t.Helper()
	execute(t, c.URL(), "alter system set "+setting+" = "+value)
	execute(t, c.URL(), "select pg_reload_conf()")
	require.Eventually(t, func() bool { return ask[string](t, c.URL(), "show "+setting) == value },
		time.Minute, 10*time.Millisecond)
}

// until repeats something until its error is as it should be, and returns the last one.
func until(do func() error, is func(error) bool) error {
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		if err := do(); is(err) || time.Since(begun) > time.Minute {
			return err
		}
	}
}

func isRefused(err error) bool {
	return errors.Is(err, postgres.ErrRefused) && !errors.Is(err, store.ErrUnknownCommit)
}

// TestServerKeepsLess: a reload after which the server may lose what it has acknowledged ends the work of a store that
// is open, at every door, until the server keeps all again.
func TestServerKeepsLess(t *testing.T) {
	t.Parallel()
	c := newServer(t)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: c.URL(), Connections: 8, Patience: 2 * time.Second}.
		Every(100*time.Millisecond, time.Now))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	ways := map[string]func() error{
		"View": func() error {
			return s.View(t.Context(), func(r store.Reader) error { _, err := count(r, store.Range{Limit: 1}); return err })
		},
		"Update": func() error { return s.Update(t.Context(), increment("n")) },
		"Plan":   func() error { return s.Plan(t.Context(), increment("n")) },
		"alone":  func() error { return s.RunAlone(t.Context(), increment("n")) },
	}
	each := func(is func(error) bool, check func(name string, err error)) {
		ended := map[string]error{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for name, way := range ways {
			all.Go(func() {
				err := until(way, is)
				mu.Lock()
				defer mu.Unlock()
				ended[name] = err
			})
		}
		all.Wait()
		for name, err := range ended {
			check(name, err)
		}
	}
	for setting, cure := range keptBy {
		reload(t, c, setting, "off")
		each(isRefused, func(name string, err error) {
			require.ErrorIs(t, err, postgres.ErrRefused, name)
			require.ErrorContains(t, err, cure, name)
		})
		reload(t, c, setting, "on")
		each(func(err error) bool { return err == nil }, func(name string, err error) { require.NoError(t, err, name) })
	}
}

// TestSessionsOfWhatKeepsLess: those that write are left when an open session tells that the server keeps less, and
// when a new one is refused because of that.
func TestSessionsOfWhatKeepsLess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		before func(s *postgres.Store)
	}{
		{"an open one tells", func(*postgres.Store) {}},
		{"a new one is refused", (*postgres.Store).ForgetReaders},
	} {
		for setting, cure := range keptBy {
			t.Run(c.name+", "+setting, func(t *testing.T) {
				t.Parallel()
				server := newServer(t)
				s, err := postgres.Open(t.Context(),
					postgres.Config{URL: server.URL(), Connections: 8, Patience: 2 * time.Second}.On(time.Now))
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				write := func() error {
					return s.Update(t.Context(), func(tx store.Tx) error { return tx.Put([]byte("k"), nothing) })
				}
				require.NoError(t, write())
				reload(t, server, setting, "off")
				c.before(s)
				require.NoError(t, write(), "by an open session")
				require.ErrorContains(t, until(func() error { return s.Measure(t.Context()) }, isRefused), cure)
				err = until(write, isRefused)
				require.ErrorIs(t, err, postgres.ErrRefused)
				require.ErrorContains(t, err, cure)
			})
		}
	}
}
