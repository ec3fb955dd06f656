package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// TestServerKeepsLess: a reload after which the server may lose what it has acknowledged ends the work of a store that
// is open, at every door, until the server keeps all again. These settings reach open sessions too.
func TestServerKeepsLess(t *testing.T) {
	t.Parallel()
	c := newServer(t)
	s, err := postgres.Open(t.Context(),
		postgres.Config{URL: c.URL(), Connections: 6, Patience: 200 * time.Millisecond}.Every(10*time.Millisecond, time.Now))
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
	for setting, cure := range map[string]string{
		"fsync": "set fsync = on", "full_page_writes": "set full_page_writes = on",
	} {
		set := func(value string) {
			execute(t, c.URL(), "alter system set "+setting+" = "+value)
			execute(t, c.URL(), "select pg_reload_conf()")
		}
		set("off")
		for name, way := range ways {
			require.Eventually(t, func() bool { err = way(); return err != nil }, time.Minute, time.Millisecond, name)
			require.ErrorIs(t, err, postgres.ErrRefused, name)
			require.ErrorContains(t, err, cure, name)
			require.False(t, errors.Is(err, store.ErrUnknownCommit), name)
		}
		set("on")
		for name, way := range ways {
			require.Eventually(t, func() bool { return way() == nil }, time.Minute, time.Millisecond, name)
		}
	}
}
