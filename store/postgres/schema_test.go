package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// Instances that start at the same time on an empty database make one schema.
func TestMigrateAtOnce(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	var starting sync.WaitGroup
	for range 6 {
		starting.Go(func() {
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema})
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
}

// What Migrations prints makes a schema that Open takes, and Open applies the same.
func TestMigrateByHand(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	execute(t, shared.URL(), migrations(t, schema, 0))
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, ByHand: true})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.Put([]byte("k"), nothing) }))
	require.NoError(t, s.Close())
}

// The embedded migrations are those up to Version, without a gap.
func TestMigrationsHaveNoGap(t *testing.T) {
	t.Parallel()
	text := migrations(t, "public", 0)
	for version := 1; version <= postgres.Version; version++ {
		require.Contains(t, text, fmt.Sprintf("versions (version) values (%d)", version))
	}
	require.NotContains(t, migrations(t, "public", postgres.Version), "create")
}

// migrations returns what Migrations prints.
func migrations(t *testing.T, schema string, from int) string {
	t.Helper()
	text, err := postgres.Migrations(schema, from)
	require.NoError(t, err)
	return text
}

// Migrations takes the names and versions that Open takes, and prints nothing for others.
func TestMigrationsRefuse(t *testing.T) {
	t.Parallel()
	require.Equal(t, migrations(t, "tollgate", 0), migrations(t, "", 0))
	for _, c := range []struct {
		name, schema string
		from         int
		want         string
	}{
		{"a statement", "a; drop table x", 0, `Config.Schema "a; drop table x": up to 40 lower-case letters`},
		{"capitals", "Tollgate", 0, "Config.Schema"},
		{"a long name", strings.Repeat("a", 41), 0, "Config.Schema"},
		{"a version before the first", "x", -1, "give the version that schema x has, 0 where there is none"},
		{"a later version", "x", postgres.Version + 1, "run a newer version"},
		{"a later version, no name", "", 99, "schema tollgate has version 99"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, err := postgres.Migrations(c.schema, c.from)
			require.ErrorContains(t, err, c.want)
			require.Empty(t, text)
		})
	}
}

// A script changes nothing in a schema of another version than that from which it leads.
func TestMigrationsOfAnotherVersion(t *testing.T) {
	t.Parallel()
	for at := 0; at <= postgres.Version; at++ {
		schema := newSchema(t)
		execute(t, shared.URL(), "create schema "+schema)
		if at > 0 {
			require.NoError(t, open(t, schema).Close())
			execute(t, shared.URL(), fmt.Sprintf("delete from %s.versions where version > %d", schema, at))
		}
		for from := 0; from <= postgres.Version; from++ {
			if from == at {
				continue
			}
			on(t, shared.URL(), func(ctx context.Context, conn *pgx.Conn) error {
				_, err := conn.Exec(ctx, migrations(t, schema, from))
				require.ErrorContains(t, err, schema)
				_, err = conn.Exec(ctx, "rollback")
				return err
			})
		}
		if at > 0 {
			require.EqualValues(t, at, ask[int64](t, shared.URL(), "select count(*) from "+schema+".versions"))
		}
	}
}

// What people apply and instances that start meanwhile take turns.
func TestMigrateByHandBesideOthers(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	letGo := hold(t, shared.URL(), "select pg_advisory_xact_lock(1953460328, hashtext('"+schema+"'))")
	byHand, opened := make(chan error, 1), make(chan error, 1)
	conn, err := pgx.Connect(t.Context(), shared.URL())
	require.NoError(t, err)
	go func() {
		_, err := conn.Exec(context.Background(), migrations(t, schema, 0))
		byHand <- errors.Join(err, conn.Close(context.Background()))
	}()
	waiting := func(n int64) {
		require.Eventually(t, func() bool {
			return ask[int64](t, shared.URL(), `select count(*) from pg_locks where locktype = 'advisory'
				and classid = 1953460328 and not granted and objid::bigint = hashtext($1)::bigint & 4294967295`, schema) == n
		}, time.Minute, time.Millisecond)
	}
	waiting(1)
	go func() {
		s, err := postgres.Open(context.Background(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6})
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	waiting(2)
	letGo()
	require.NoError(t, errors.Join(<-byHand, <-opened))
}

// A script for a schema that is there makes none where it is missing.
func TestMigrationsOfAMissingSchema(t *testing.T) {
	t.Parallel()
	for from := 1; from <= postgres.Version; from++ {
		schema := newSchema(t)
		on(t, shared.URL(), func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, migrations(t, schema, from))
			if from < postgres.Version {
				require.ErrorContains(t, err, schema)
			}
			_, err = conn.Exec(ctx, "rollback")
			return err
		})
		require.False(t, ask[bool](t, shared.URL(), "select exists (select from pg_namespace where nspname = $1)", schema))
	}
}

// Statements find their rows by index, also when they were first planned over a table that the server knows to have one
// row.
func TestPlans(t *testing.T) {
	t.Parallel()
	database, url := newDatabase(t)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 6})
	require.NoError(t, err)
	put := func(from, n int) {
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
			for i := range n {
				if err := tx.Put(fmt.Appendf(nil, "k%06d", from+i), []byte("v")); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	put(0, 1)
	execute(t, url, "vacuum analyze tollgate.records")
	for i := range 20 { // each statement is planned, and its plan kept
		put(i, 1)
		require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
			_, err := r.Get([]byte("k000000"))
			_, scan := count(r, store.Range{Prefix: []byte("k0"), Limit: 1})
			require.NoError(t, scan)
			return err
		}))
	}
	put(100, 20_000)
	before := seqReads(t, url)
	for i := range 50 {
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
			_, err := tx.Get(fmt.Appendf(nil, "k%06d", 200+i))
			require.NoError(t, err)
			_, err = count(tx, store.Range{Prefix: fmt.Appendf(nil, "k%06d", 500+i), Limit: 3})
			require.NoError(t, err)
			return tx.Put(fmt.Appendf(nil, "k%06d", 300+i), []byte("w"))
		}))
	}
	require.NoError(t, s.Close()) // sessions tell their figures when they end
	require.Eventually(t, func() bool { return connections(t, database) == 0 }, time.Minute, time.Millisecond)
	require.Equal(t, before, seqReads(t, url))
}

// seqReads returns how many rows were read without an index, as far as sessions have told.
func seqReads(t testing.TB, url string) int64 {
	t.Helper()
	return ask[int64](t, url,
		"select coalesce(seq_tup_read, 0) from pg_stat_all_tables where relid = 'tollgate.records'::regclass")
}

// A migration may take longer than another statement of the store.
func TestMigrationTakesItsTime(t *testing.T) {
	t.Parallel()
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
		Statement: 2 * time.Millisecond})
	if err == nil {
		require.NoError(t, s.Close())
		return
	}
	require.NotContains(t, err.Error(), "postgres: migrate schema")
}

// An instance waits for another's migration, which may take longer than a lock of the store.
func TestMigrationWaits(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	letGo := hold(t, shared.URL(), "select pg_advisory_xact_lock(1953460328, hashtext('"+schema+"'))")
	opened := make(chan error, 1)
	go func() {
		s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
			Statement: time.Second})
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	waits := `select exists (select from pg_locks where locktype = 'advisory' and classid = 1953460328 and not granted
		and objid::bigint = hashtext($1)::bigint & 4294967295 and waitstart < clock_timestamp() - interval '700 ms')`
	require.Eventually(t, func() bool { return len(opened) > 0 || ask[bool](t, shared.URL(), waits, schema) },
		time.Minute, 20*time.Millisecond)
	letGo()
	require.NoError(t, <-opened)
}

// TestMigrationGivesWay: while a migration waits for a report, others read. It goes on when the report has ended, and
// fails when its patience is over; the text names the cause. A script fails sooner.
func TestMigrationGivesWay(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, open(t, schema).Close())
	execute(t, shared.URL(), fmt.Sprintf("delete from %s.versions where version = %d", schema, postgres.Version))
	report := "select count(*) from " + schema + ".payments"
	letGo := hold(t, shared.URL(), report)
	opened := func(patience time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		s, err := postgres.Open(ctx, postgres.Config{URL: shared.URL(), Schema: schema, Patience: patience})
		if err == nil {
			err = s.Close()
		}
		return err
	}
	err := opened(2 * time.Second)
	require.ErrorContains(t, err, "lock timeout")
	require.ErrorContains(t, err, "others read its tables or views for long")
	conn, err := pgx.Connect(t.Context(), shared.URL())
	require.NoError(t, err)
	defer conn.Close(context.Background()) //nolint:errcheck // of a test
	_, err = conn.Exec(t.Context(), "set statement_timeout = '30s'")
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), migrations(t, schema, postgres.Version-1))
	require.ErrorContains(t, err, "lock timeout")
	_, err = conn.Exec(t.Context(), "rollback")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- opened(time.Minute) }()
	waits := "select exists (select from pg_locks where not granted and relation = ($1::text || '.payments')::regclass)"
	require.Eventually(t, func() bool { return len(ended) > 0 || ask[bool](t, shared.URL(), waits, schema) },
		time.Minute, 10*time.Millisecond)
	_, err = conn.Exec(t.Context(), report)
	require.NoError(t, err)
	require.Empty(t, ended)
	letGo()
	require.NoError(t, <-ended)
}

// A view of others that reads one of the schema's is named where it stops a migration.
func TestMigrationNamesWhatStopsIt(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, open(t, schema).Close())
	execute(t, shared.URL(), fmt.Sprintf("delete from %s.versions where version = %d", schema, postgres.Version))
	execute(t, shared.URL(), "create view "+schema+".mine as select id from "+schema+".payments")
	_, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema})
	require.ErrorContains(t, err, "view "+schema+".mine depends on view "+schema+".payments")
	execute(t, shared.URL(), "drop view "+schema+".mine")
	require.NoError(t, open(t, schema).Close())
}
