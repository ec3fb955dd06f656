package postgres_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// modes are all in which pgx asks, with those whose answers are texts.
var modes = []struct {
	mode    pgx.QueryExecMode
	refused bool
}{
	{pgx.QueryExecModeCacheStatement, false},
	{pgx.QueryExecModeCacheDescribe, false},
	{pgx.QueryExecModeDescribeExec, false},
	{pgx.QueryExecModeExec, true},
	{pgx.QueryExecModeSimpleProtocol, true},
}

// modeDoors are the ways by which a mode gets into a store.
var modeDoors = []struct {
	name string
	set  func(cfg *postgres.Config, mode pgx.QueryExecMode)
}{
	{"URL", func(cfg *postgres.Config, mode pgx.QueryExecMode) {
		cfg.URL += "&default_query_exec_mode=" + urlModes[mode]
	}},
	{"Adjust", func(cfg *postgres.Config, mode pgx.QueryExecMode) {
		cfg.Adjust = func(c *pgxpool.Config) { c.ConnConfig.DefaultQueryExecMode = mode }
	}},
	{"BeforeConnect", func(cfg *postgres.Config, mode pgx.QueryExecMode) {
		cfg.Adjust = func(c *pgxpool.Config) {
			c.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
				c.DefaultQueryExecMode = mode
				return nil
			}
		}
	}},
}

var urlModes = map[pgx.QueryExecMode]string{
	pgx.QueryExecModeCacheStatement: "cache_statement",
	pgx.QueryExecModeCacheDescribe:  "cache_describe",
	pgx.QueryExecModeDescribeExec:   "describe_exec",
	pgx.QueryExecModeExec:           "exec",
	pgx.QueryExecModeSimpleProtocol: "simple_protocol",
}

// TestModes: in each mode of pgx, however it was set, the store is refused or finds what it wrote.
func TestModes(t *testing.T) {
	t.Parallel()
	for _, door := range modeDoors {
		for _, m := range modes {
			t.Run(door.name+" "+urlModes[m.mode], func(t *testing.T) {
				t.Parallel()
				cfg := postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6}
				door.set(&cfg, m.mode)
				if m.refused {
					requireRefused(t, cfg, "default_query_exec_mode is "+urlModes[m.mode], "leave it out")
					return
				}
				finds(t, cfg)
			})
		}
	}
}

// requireRefused opens a store in vain.
func requireRefused(t *testing.T, cfg postgres.Config, says ...string) {
	t.Helper()
	s, err := postgres.Open(t.Context(), cfg)
	if err == nil {
		require.NoError(t, s.Close())
	}
	require.ErrorIs(t, err, postgres.ErrRefused)
	for _, text := range says {
		require.ErrorContains(t, err, text)
	}
}

// finds writes in each way to a store that has just been opened, so that nothing comes from memory, and reads it by the
// next one.
func finds(t *testing.T, cfg postgres.Config) {
	t.Helper()
	value := []byte("\x00\\x00 a value that no text is \xff")
	for i := range 3 {
		for j, way := range ways {
			s, err := postgres.Open(t.Context(), cfg)
			require.NoError(t, err)
			require.NoError(t, way.update(t.Context(), s, increment("n")))
			require.NoError(t, way.update(t.Context(), s, func(tx store.Tx) error { return tx.Put([]byte("\x00b\xff"), value) }))
			require.NoError(t, s.Close())
			s, err = postgres.Open(t.Context(), cfg)
			require.NoError(t, err)
			require.Equal(t, len(ways)*i+j+1, numberIn(t, s, "n"))
			require.NoError(t, s.View(t.Context(), func(r store.Reader) error { return holds(t, r, value) }))
			require.NoError(t, way.update(t.Context(), s, func(tx store.Tx) error { return holds(t, tx, value) }))
			require.NoError(t, s.Close())
		}
	}
}

// holds looks for what finds has written: by key, beside a key that is absent, and by ranges.
func holds(t *testing.T, r store.Reader, value []byte) error {
	found, err := r.Get([]byte("\x00b\xff"))
	require.NoError(t, err)
	require.Equal(t, value, found)
	_, err = r.Get([]byte("absent"))
	require.ErrorIs(t, err, store.ErrNotFound)
	want := []string{"\x00b\xff", "n"}
	for _, reverse := range []bool{false, true} {
		var keys []string
		for entry := range r.Scan(store.Range{Limit: 10, Reverse: reverse}) {
			require.NoError(t, entry.Err)
			keys = append(keys, string(entry.Key))
		}
		require.Equal(t, want, keys)
		slices.Reverse(want)
	}
	return nil
}

// textual is a type of bytea that is asked for as text.
var textual = &pgtype.Type{Name: "bytea", OID: pgtype.ByteaOID, Codec: textually{}}

type textually struct{ pgtype.ByteaCodec }

// PreferredFormat implements pgtype.Codec.
func (textually) PreferredFormat() int16 { return pgx.TextFormatCode }

// What pgx is told about bytea decides about the form of answers too.
func TestTextualBytes(t *testing.T) {
	t.Parallel()
	requireRefused(t, postgres.Config{URL: shared.URL(), Schema: newSchema(t), Adjust: func(c *pgxpool.Config) {
		c.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
			conn.TypeMap().RegisterType(textual)
			return nil
		}
	}}, "bytea is read as text", "leave it as pgx has it")
}

// A connection that is changed later gives an error, and not records that seem to be absent.
func TestTextualBytesLater(t *testing.T) {
	t.Parallel()
	var later atomic.Bool
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Patience: time.Hour,
		Adjust: func(c *pgxpool.Config) {
			c.PrepareConn = func(_ context.Context, conn *pgx.Conn) (bool, error) {
				if later.Load() {
					conn.TypeMap().RegisterType(textual)
				}
				return true, nil
			}
		}})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	later.Store(true)
	for name, read := range map[string]func(r store.Reader) error{
		"scan": scanAll,
		"key":  func(r store.Reader) error { _, err := r.Get([]byte("n")); return errors.Join(err, scanAll(r)) },
	} {
		err := within(t, 20*time.Second, func() error { return s.View(t.Context(), read) }) // no other attempt
		require.ErrorIs(t, err, postgres.ErrRefused, name)
	}
	err = within(t, 20*time.Second, func() error { return s.RunAlone(t.Context(), increment("n")) })
	require.ErrorIs(t, err, postgres.ErrRefused)
	require.NoError(t, s.Close())
}
