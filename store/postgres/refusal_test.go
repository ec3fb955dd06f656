package postgres_test

import (
	"context"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres"
)

// with returns the shared server's URL with a setting of the session.
func with(setting string) string {
	return shared.URL() + "&options=" + strings.ReplaceAll(url.QueryEscape("-c "+setting), "+", "%20")
}

// TestRefusals: what would lose or mix up payments is refused, with cause and cure, as docs/postgres.md says.
func TestRefusals(t *testing.T) {
	t.Parallel()
	careless := newCluster(t, "")
	require.NoError(t, careless.Start(map[string]string{"fsync": "off", "full_page_writes": "off"}))
	half := newCluster(t, "")
	require.NoError(t, half.Start(map[string]string{"full_page_writes": "off"}))
	t.Cleanup(func() { execute(t, shared.URL(), "drop database ascii") })
	execute(t, shared.URL(), "create database ascii encoding 'SQL_ASCII' template template0")
	future := newSchema(t)
	require.NoError(t, open(t, future).Close())
	execute(t, shared.URL(), "insert into "+future+".versions (version) values (99)")

	page, err := os.ReadFile("../../docs/postgres.md")
	require.NoError(t, err)
	for _, c := range []struct {
		name        string
		cfg         postgres.Config
		cause, cure string
	}{
		{"fsync", postgres.Config{URL: careless.URL()}, "fsync is off", "set fsync = on"},
		{"full_page_writes", postgres.Config{URL: half.URL()}, "full_page_writes is off", "set full_page_writes = on"},
		{"synchronous_commit", postgres.Config{URL: with("synchronous_commit=off")},
			"synchronous_commit is off", "set synchronous_commit = on"},
		{"read-only", postgres.Config{URL: with("default_transaction_read_only=on") + "&target_session_attrs=any"},
			"read only connection", "name the primary"},
		{"encoding", postgres.Config{URL: strings.Replace(shared.URL(), "/postgres?", "/ascii?", 1)},
			"encoding of the database is SQL_ASCII", "encoding UTF8"},
		{"future", postgres.Config{URL: shared.URL(), Schema: future}, "has version 99", "run a newer version"},
		{"behind, by hand", postgres.Config{URL: shared.URL(), Schema: newSchema(t), ByHand: true},
			"has version 0", "postgres.Migrations("},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := postgres.Open(t.Context(), c.cfg)
			if err == nil {
				require.NoError(t, s.Close())
			}
			require.ErrorIs(t, err, postgres.ErrRefused)
			require.ErrorContains(t, err, c.cause)
			require.ErrorContains(t, err, c.cure)
			require.Contains(t, string(page), "| "+c.cause+" |")
		})
	}
}

// What Config cannot hold is refused before anything is asked.
func TestConfig(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		cfg  postgres.Config
		want string
	}{
		{"no URL", postgres.Config{}, "Config.URL is required"},
		{"a bad URL", postgres.Config{URL: "postgres://u:geheim@:x/"}, "Config.URL"},
		{"a schema with a quote", postgres.Config{URL: shared.URL(), Schema: `a"b`}, "Config.Schema"},
		{"a long schema", postgres.Config{URL: shared.URL(), Schema: strings.Repeat("a", 41)}, "Config.Schema"},
		{"few connections", postgres.Config{URL: shared.URL(), Connections: 5}, "Config.Connections"},
		{"no patience", postgres.Config{URL: shared.URL(), Patience: -1}, "Config.Patience"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := postgres.Open(t.Context(), c.cfg)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "geheim")
		})
	}
}

// A password in the URL is in no error, and a server that is away is an error of Open.
func TestNoServer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err := postgres.Open(ctx, postgres.Config{URL: "postgres://u:geheim@localhost/x?host=/nowhere"})
	require.ErrorContains(t, err, "/nowhere")
	require.NotContains(t, err.Error(), "geheim")
}

// Adjust cannot take away what the store depends on, nor can what it sets.
func TestAdjust(t *testing.T) {
	t.Parallel()
	spoil := func(c *pgx.ConnConfig) {
		c.RuntimeParams["default_transaction_isolation"] = "serializable"
		c.ValidateConnect, c.OnNotice = nil, nil
	}
	for _, c := range []struct {
		name   string
		adjust func(c *pgxpool.Config, spoil func(*pgx.ConnConfig))
	}{
		{"at once", func(c *pgxpool.Config, spoil func(*pgx.ConnConfig)) { spoil(c.ConnConfig) }},
		{"before each connection", func(c *pgxpool.Config, spoil func(*pgx.ConnConfig)) {
			c.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
				spoil(c)
				return nil
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var called atomic.Bool
			adjust := func(cfg *pgxpool.Config) {
				c.adjust(cfg, func(c *pgx.ConnConfig) { spoil(c); called.Store(true) })
			}
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Adjust: adjust})
			require.NoError(t, err)
			require.True(t, called.Load())
			require.NoError(t, s.Close())
			_, err = postgres.Open(t.Context(), postgres.Config{URL: with("default_transaction_read_only=on"), Adjust: adjust})
			require.ErrorContains(t, err, "read only connection")
		})
	}
}
