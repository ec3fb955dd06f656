package postgres_test

import (
	"context"
	"errors"
	"fmt"
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

// pretends returns the config of a store whose server answers one function like another server.
func pretends(t *testing.T, function, body string) postgres.Config {
	t.Helper()
	schema := newSchema(t)
	execute(t, shared.URL(), "create schema "+schema)
	execute(t, shared.URL(), "create function "+schema+"."+function+" language sql as $$ select "+body+" $$")
	return postgres.Config{URL: shared.URL(), Schema: newSchema(t), Adjust: func(c *pgxpool.Config) {
		c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "set search_path = "+schema+", pg_catalog")
			return err
		}
	}}
}

// spoiled returns the config of a store whose schema was changed by a statement since it was made.
func spoiled(t *testing.T, statement string) postgres.Config {
	t.Helper()
	schema := newSchema(t)
	require.NoError(t, openIn(t, schema).Close())
	execute(t, shared.URL(), strings.ReplaceAll(statement, "SCHEMA", schema))
	return postgres.Config{URL: shared.URL(), Schema: schema}
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
		{"mode", postgres.Config{URL: shared.URL() + "&default_query_exec_mode=simple_protocol"},
			"default_query_exec_mode is simple_protocol", "leave it out"},
		{"no cache", postgres.Config{URL: shared.URL() + "&statement_cache_capacity=0"},
			"its cache has room for no statement", "leave out statement_cache_capacity"},
		{"no cache of descriptions", postgres.Config{URL: shared.URL() +
			"&description_cache_capacity=0&default_query_exec_mode=cache_describe"},
			"its cache has room for no statement", "use describe_exec"},
		{"reserved word", postgres.Config{URL: shared.URL(), Schema: "user"}, "is a reserved word", "choose another name"},
		{"name of a type", postgres.Config{URL: shared.URL(), Schema: "int"}, "is a reserved word", "choose another name"},
		{"reserved prefix", postgres.Config{URL: shared.URL(), Schema: "pg_x"}, "is a reserved word", "choose another name"},
		{"schema of the standard", postgres.Config{URL: shared.URL(), Schema: "information_schema"},
			"is a reserved word", "choose another name"},
		{"a gap", spoiled(t, "delete from SCHEMA.versions where version = 3"), "lacks one before it", "restore a backup"},
		{"unlogged", spoiled(t, "alter table SCHEMA.records set unlogged"), "is unlogged", "set logged"},
		{"a table", spoiled(t, "drop table SCHEMA.lanes cascade"), "is gone, or is no plain table", "restore a backup"},
		{"a column", spoiled(t, "alter table SCHEMA.lanes drop failed"), "lacks its column", "put it back"},
		{"a function", spoiled(t, "drop function SCHEMA.settle"), "settle is gone", "put it back"},
		{"a key", spoiled(t, "alter table SCHEMA.records drop constraint records_pkey"),
			"has no unique index", "add primary key (key)"},
		{"a trigger", spoiled(t, swallow), "has a trigger", "drop trigger"},
		{"a rule", spoiled(t, "create rule r as on insert to SCHEMA.records do instead nothing"), "has a rule", "drop rule"},
		{"an heir", spoiled(t, "create table SCHEMA.old () inherits (SCHEMA.records)"), "has the heir", "no inherit"},
		{"isolation", pretends(t, "current_setting(text) returns text", `case $1 when 'default_transaction_isolation'
			then 'repeatable read' else pg_catalog.current_setting($1) end`),
			"isolation of new transactions is repeatable read", "without a pooler"},
		{"product", pretends(t, "version() returns text", "'CockroachDB'"),
			"on which this store was never tested", "use PostgreSQL"},
		{"release", pretends(t, "current_setting(text) returns text", `case $1 when 'server_version_num'
			then '130000' else pg_catalog.current_setting($1) end`),
			"use PostgreSQL 14 or later", "use PostgreSQL 14"},
		{"lock", pretends(t, "pg_try_advisory_xact_lock(int, int) returns boolean", "true"),
			"two sessions hold the same advisory lock", "connect to one PostgreSQL"},
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
		{"a bad string", postgres.Config{URL: "host=x password = geheim port=abc"}, "invalid port"},
		{"a string of words", postgres.Config{URL: "host=a password=sec geheim user=x"}, "no list of keywords"},
		{"an odd password", postgres.Config{URL: "postgres://u:pa@ss geheim@host/db"}, "%40 (@)"},
		{"an odd host", postgres.Config{URL: "postgres://u:geh%zzgeheim@host/db"}, "no URL of PostgreSQL"},
		{"a string with a quote", postgres.Config{URL: "host=x password='geheim` port=1"}, "Config.URL"},
		{"a schema with a quote", postgres.Config{URL: shared.URL(), Schema: `a"b`}, "Config.Schema"},
		{"a long schema", postgres.Config{URL: shared.URL(), Schema: strings.Repeat("a", 41)}, "Config.Schema"},
		{"few connections", postgres.Config{URL: shared.URL(), Connections: 5}, "Config.Connections"},
		{"a statement of no time", postgres.Config{URL: shared.URL(), Statement: -1}, "Config.Statement"},
		{"a statement of 1 ms, whose half is none", postgres.Config{URL: shared.URL(), Statement: time.Millisecond},
			"Config.Statement"},
		{"a statement of less than 2 ms", postgres.Config{URL: shared.URL(), Statement: 2*time.Millisecond - 1},
			"Config.Statement"},
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

// TestAdjustedPools: how many connections there are, and that none is made before it is asked for, is not for Adjust.
func TestAdjustedPools(t *testing.T) {
	t.Parallel()
	var pools []*pgxpool.Config
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL() + "&pool_min_idle_conns=2",
		Schema: newSchema(t), Connections: 7, Adjust: func(c *pgxpool.Config) {
			c.MaxConns, c.MinConns = 50, 2
			pools = append(pools, c)
		}})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	var most int32
	for _, c := range pools {
		most += c.MaxConns
		require.Zero(t, c.MinConns)
		require.Zero(t, c.MinIdleConns)
	}
	require.EqualValues(t, 7, most)
}

// TestSettings: the settings of the store win over those of the URL, of Adjust and of the role, in any spelling.
func TestSettings(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	role, _ := newRole(t, schema)
	want := map[string]string{"search_path": "pg_catalog, pg_temp", "standard_conforming_strings": "on",
		"idle_in_transaction_session_timeout": "10min", "statement_timeout": "30s", "lock_timeout": "15s",
		"plan_cache_mode": "force_generic_plan", "default_transaction_isolation": "read committed",
		"idle_session_timeout": "0"}
	others := map[string]string{"search_path": "public", "standard_conforming_strings": "off",
		"idle_in_transaction_session_timeout": "1ms", "statement_timeout": "1ms", "lock_timeout": "1ms",
		"plan_cache_mode": "force_custom_plan", "default_transaction_isolation": "serializable",
		"idle_session_timeout": "1ms"}
	execute(t, shared.URL(), "create schema "+schema+" authorization "+role)
	address := as(shared.URL(), strings.Trim(role, `"`))
	for name, value := range others {
		execute(t, shared.URL(), "alter role "+role+" set "+name+" = '"+value+"'")
		address += "&" + strings.ToUpper(name) + "=" + url.QueryEscape(value)
	}
	var sessions atomic.Int64
	s, err := postgres.Open(t.Context(), postgres.Config{URL: address, Schema: schema, Adjust: func(c *pgxpool.Config) {
		for name, value := range others {
			c.ConnConfig.RuntimeParams[strings.ToUpper(name[:1])+name[1:]] = value
		}
		c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			for name, value := range want {
				var is string
				if err := conn.QueryRow(ctx, "show "+name).Scan(&is); err != nil || is != value {
					return fmt.Errorf("%s is %q: %w", name, is, err)
				}
			}
			sessions.Add(1)
			return nil
		}
	}})
	require.NoError(t, err)
	for range 8 { // the order in which settings are sent is another each time
		s.ForgetReaders()
		require.NoError(t, s.View(t.Context(), scanAll))
	}
	require.NoError(t, s.Close())
	require.GreaterOrEqual(t, sessions.Load(), int64(9))
}

// TestReload: a reload that makes commits unsafe does not reach open connections, and new ones are refused, those of a
// store that is open too.
func TestReload(t *testing.T) {
	t.Parallel()
	c := newCluster(t, "")
	require.NoError(t, c.Start(nil))
	s, err := postgres.Open(t.Context(), postgres.Config{URL: c.URL(), Connections: 6})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	pid, flush, err := s.Setting(t.Context(), "synchronous_commit")
	require.NoError(t, err)
	require.Equal(t, "on", flush)
	execute(t, c.URL(), "alter system set synchronous_commit = off")
	execute(t, c.URL(), "select pg_reload_conf()")
	require.Eventually(t, func() bool { return ask[string](t, c.URL(), "show synchronous_commit") == "off" },
		time.Minute, 10*time.Millisecond)
	after, flush, err := s.Setting(t.Context(), "synchronous_commit")
	require.NoError(t, err)
	require.Equal(t, pid, after, "the same session")
	require.Equal(t, "on", flush)
	requireRefused(t, postgres.Config{URL: c.URL(), Connections: 6}, "synchronous_commit is off",
		"set synchronous_commit = on")
	execute(t, c.URL(), "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate'")
	require.Eventually(t, func() bool { // when it has thrown away those that have ended
		_, _, err = s.Setting(t.Context(), "synchronous_commit")
		return err == nil || errors.Is(err, postgres.ErrRefused)
	}, time.Minute, time.Millisecond)
	require.ErrorIs(t, err, postgres.ErrRefused)
	require.NoError(t, s.Close())
}

// TestTimeToConnect: each of several servers has as long to take a connection as leaves time for the others, unless the
// URL says otherwise.
func TestTimeToConnect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		servers  string
		patience time.Duration
		want     time.Duration
	}{
		"one":                {"127.0.0.1:1", time.Second, 5 * time.Second},
		"two":                {"127.0.0.1:1,127.0.0.2:1", 6 * time.Second, 2 * time.Second},
		"two ports":          {"127.0.0.1:1,127.0.0.1:2", 6 * time.Second, 2 * time.Second},
		"two, much patience": {"127.0.0.1:1,127.0.0.2:1", time.Hour, 5 * time.Second},
		"two, no patience":   {"127.0.0.1:1,127.0.0.2:1", time.Millisecond, time.Second},
		"as the URL says":    {"127.0.0.1:1,127.0.0.2:1/x?connect_timeout=7", 6 * time.Second, 7 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got atomic.Int64
			_, err := postgres.Open(t.Context(), postgres.Config{URL: "postgres://u@" + c.servers, Patience: c.patience,
				Adjust: func(cfg *pgxpool.Config) {
					cfg.BeforeConnect = func(_ context.Context, conn *pgx.ConnConfig) error {
						got.Store(int64(conn.ConnectTimeout))
						return errors.New("no further")
					}
				}})
			require.ErrorContains(t, err, "no further")
			require.Equal(t, c.want, time.Duration(got.Load()))
		})
	}
}

// TestIsolationLater: a session whose isolation somebody changes after it was inspected commits nothing.
func TestIsolationLater(t *testing.T) {
	t.Parallel()
	var later atomic.Bool
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
		Adjust: func(c *pgxpool.Config) {
			c.PrepareConn = func(ctx context.Context, conn *pgx.Conn) (bool, error) {
				if !later.Load() {
					return true, nil
				}
				_, err := conn.Exec(ctx, "set default_transaction_isolation = 'repeatable read'")
				return err == nil, err
			}
		}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	later.Store(true)
	require.ErrorContains(t, s.Update(t.Context(), increment("n")), "has to be read committed")
	later.Store(false)
}
