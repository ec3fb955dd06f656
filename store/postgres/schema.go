package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migration returns the statements of a file. A version in which the views alone changed has none.
func migration(schema, name string) string {
	text, err := fs.ReadFile(migrations, "migrations/"+name+".sql")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err) // embedded
	}
	return strings.ReplaceAll(string(text), "SCHEMA", schema)
}

// Version is the version of the schema that this package reads and writes.
const Version = 5

// versions is the table that has a row for each migration that was applied.
// A role that owns the schema need not be allowed to make one, which "if not exists" asks for.
const versions = `do $$ begin
  if not exists (select from pg_namespace where nspname = 'SCHEMA') then
    create schema SCHEMA;
  end if;
end $$;
create table if not exists SCHEMA.versions (
  version int primary key,
  applied timestamptz not null default clock_timestamp()
);
`

// Migrations returns the statements that lead a schema (as in Config.Schema) from the version that it has to the
// present one, for people who apply them by hand (Config.ByHand). From 0 they make the schema; from Version there is
// nothing to do. They are one transaction, which changes nothing in a schema of another version, and fails when it has
// waited 2 s for a table or view that others use. psql has to run them with -X -v ON_ERROR_STOP=1, so that it stops at
// the first error. Each version has views of the records as columns (payments, transactions, callbacks,
// callback_attempts, sessions, schedules), which are made anew: views of others that read them have to be dropped
// before.
//
// A name that Config.Schema does not take, and a version that is not known, is an error. Names that are words of SQL
// are refused by the server.
func Migrations(schema string, from int) (string, error) {
	schema, err := settleSchema(schema)
	switch {
	case err != nil:
		return "", err
	case from < 0:
		return "", fmt.Errorf("postgres: from version %d: give the version that schema %s has, 0 where there is none",
			from, schema)
	case from > Version:
		return "", Config{Schema: schema}.refuseVersion(from)
	}
	return "begin;\n" + strings.NewReplacer("SCHEMA", schema, "FROM", strconv.Itoa(from)).Replace(byHand) +
		statements(schema, from) + "commit;\n", nil
}

// byHand begins what people apply: what they have in their search path is not used, instances that start meanwhile
// wait, who uses the tables does not have to wait for long, and a schema of another version stays as it is.
const byHand = `set local search_path = pg_catalog, pg_temp;
set local standard_conforming_strings = on;
select pg_advisory_xact_lock(` + migrationLock + `, hashtext('SCHEMA'));
` + noLongWait + `do $$ declare at int := 0; begin
  if FROM > 0 or exists (select from pg_tables where schemaname = 'SCHEMA' and tablename = 'versions') then
    select coalesce(max(version), 0) into at from SCHEMA.versions;
  end if;
  if at <> FROM then
    raise exception 'schema SCHEMA has version %, and these statements are for version FROM', at;
  end if;
end $$;
`

// migrationLock is the first number of the lock that excludes another migration of the same schema.
const migrationLock = "1953460328"

// statements are those of Migrations, for a transaction.
func statements(schema string, from int) string {
	var text strings.Builder
	if from == 0 {
		text.WriteString(strings.ReplaceAll(versions, "SCHEMA", schema))
	}
	for version := from + 1; version <= Version; version++ {
		fmt.Fprintf(&text, "%sinsert into %s.versions (version) values (%d);\n",
			migration(schema, strconv.Itoa(version)), schema, version)
	}
	if from < Version {
		text.WriteString(migration(schema, "views"))
	}
	return text.String()
}

// migrate leads the schema to the present version. Instances that start together do it one after the other.
func (c Config) migrate(ctx context.Context, conn *pgx.Conn, role string) error {
	if err := c.reserved(ctx, conn); err != nil {
		return err
	}
	if err := c.lacking(ctx, conn, role); err != nil {
		return err
	}
	at, err := c.version(ctx, conn)
	if err != nil || at >= Version {
		return errors.Join(err, c.refuseVersion(at))
	}
	if c.ByHand {
		return c.refuseVersion(at)
	}
	until := time.Now().Add(c.Patience)
	for attempt := 0; ; attempt++ {
		err := c.upgradeOnce(ctx, conn, role)
		switch {
		case !isCode(err, codeLocked):
			return err
		case time.Now().After(until) || !pause(ctx, attempt):
			return fmt.Errorf("%w; others read its tables or views for long: end their transactions, as pg_stat_activity has "+
				"them, and start again", err)
		}
	}
}

// upgradeOnce is a migration, which takes its time. Its commit, which may wait for a standby, has that of all commits.
func (c Config) upgradeOnce(ctx context.Context, conn *pgx.Conn, role string) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return fmt.Errorf("postgres: migrate: %w", err)
	}
	defer tx.Rollback(ctx) //nolint:errcheck // it has ended, or the connection has
	if err := c.upgrade(ctx, tx, role); err != nil {
		return err
	}
	within, cancel := context.WithTimeoutCause(ctx, c.Patience, impatience(c.Patience))
	defer cancel()
	if err := tx.Commit(within); err != nil {
		return fmt.Errorf("postgres: migrate: %w", named(within, err))
	}
	return nil
}

// upgrade is a migration in a transaction. Another instance that is at it takes its time, and so does a large table. A
// lock on a table that others use is not waited for like that: all who come after have to wait too.
func (c Config) upgrade(ctx context.Context, tx pgx.Tx, role string) error {
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0; set local lock_timeout = 0"); err != nil {
		return fmt.Errorf("postgres: migrate: %w", err)
	}
	lock := "select pg_advisory_xact_lock(" + migrationLock + ", hashtext($1))"
	if _, err := tx.Exec(ctx, lock, c.Schema); err != nil {
		return fmt.Errorf("postgres: migrate: %w", err)
	}
	at, err := c.version(ctx, tx.Conn()) // another may have done it meanwhile
	if err != nil || at >= Version {
		return errors.Join(err, c.refuseVersion(at))
	}
	_, err = tx.Exec(ctx, noLongWait+statements(c.Schema, at))
	switch {
	case isCode(err, codeForbidden):
		return refuse("the role %s may not make or change schema %s: %w; let it own the schema and what is in it "+
			"(%s); or, where the program sets Config.ByHand, apply what postgres.Migrations(%q, %d) returns",
			role, c.Schema, err, c.owning(role, at), c.Schema, at)
	case err != nil:
		return fmt.Errorf("postgres: migrate schema %s from version %d to %d: %w", c.Schema, at, Version, withDetail(err))
	}
	return nil
}

// noLongWait is longer than deadlock_timeout, after which autovacuum makes way.
const noLongWait = "set local lock_timeout = '2s';\n"

// owning returns how a role comes to own a schema of a version, as SQL or in words.
func (c Config) owning(role string, at int) string {
	if at == 0 {
		return fmt.Sprintf("create schema %s authorization %s", c.Schema, role)
	}
	return fmt.Sprintf("alter schema %s owner to %s, and so its tables, views and functions", c.Schema, role)
}

// withDetail adds what a server has said beside its message: of what hinders a statement it has the name.
func withDetail(err error) error {
	if said := (&pgconn.PgError{}); errors.As(err, &said) && said.Detail != "" {
		return fmt.Errorf("%w: %s", err, said.Detail)
	}
	return err
}

// codeLocked is lock_not_available.
const codeLocked = "55P03"

// codeForbidden is insufficient_privilege.
const codeForbidden = "42501"

// reserved refuses a name that is a word of SQL: the statements of the store do not quote it.
func (c Config) reserved(ctx context.Context, conn *pgx.Conn) error {
	var word bool
	ask := "select exists (select from pg_get_keywords() where word = $1 and catcode <> 'U')"
	if err := conn.QueryRow(ctx, ask, c.Schema).Scan(&word); err != nil {
		return fmt.Errorf("postgres: look at the name of schema %s: %w", c.Schema, err)
	}
	if word || strings.HasPrefix(c.Schema, "pg_") || c.Schema == "information_schema" {
		return refuse("Config.Schema %q is a reserved word; choose another name", c.Schema)
	}
	return nil
}

// version returns the version of the schema, zero when there is none.
func (c Config) version(ctx context.Context, conn *pgx.Conn) (at int, err error) {
	var known bool
	// to_regclass would answer from a cache that does not know what another session has just made.
	ask := "select exists (select from pg_tables where schemaname = $1 and tablename = 'versions')"
	err = conn.QueryRow(ctx, ask, c.Schema).Scan(&known)
	n := 0
	if err == nil && known {
		err = conn.QueryRow(ctx, "select coalesce(max(version), 0), count(*) from "+c.Schema+".versions").Scan(&at, &n)
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("postgres: read the version of schema %s: %w", c.Schema, err)
	case n < at && at <= Version:
		return 0, refuse("schema %s has version %d, and lacks one before it; restore a backup, and apply what "+
			"postgres.Migrations(%q, ...) returns for the version of that", c.Schema, at, c.Schema)
	}
	return at, nil
}

// refuseVersion returns why a version of the schema cannot be used, or nil.
func (c Config) refuseVersion(at int) error {
	switch {
	case at > Version:
		return refuse("schema %s has version %d, and this program knows up to %d; run a newer version of it",
			c.Schema, at, Version)
	case at < Version:
		return refuse("schema %s has version %d, and this program needs %d; apply what postgres.Migrations(%q, %d) returns, "+
			"or leave Config.ByHand off", c.Schema, at, Version, c.Schema, at)
	}
	return nil
}
