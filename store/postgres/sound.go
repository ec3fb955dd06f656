package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// columns are those that the store uses, with their types. The first one of a table is its key.
var columns = []struct{ table, column, kind string }{
	{"records", "key", "bytea"},
	{"records", "value", "bytea"},
	{"lanes", "id", "uuid"},
	{"lanes", "number", "bigint"},
	{"lanes", "failed", "integer[]"},
	{"lanes", "seen", "timestamp with time zone"},
	{"versions", "version", "integer"},
}

// askFlaws lists how a schema differs from what the migrations have made, where that loses records, hides them or stops
// the store: a kind of flaws, a table or a function, and what of it. The tables are asked for by what was given for the
// columns.
const askFlaws = `with
  need as (select n.* from unnest($2::text[], $3::text[], $4::text[]) with ordinality as n (tab, col, kind, place)),
  one as (select distinct on (tab) tab, col as key from need order by tab, place),
  schema as (select oid from pg_namespace where nspname = $1),
  made as (select one.tab, one.key, c.oid, c.relpersistence from one
    join pg_class c on c.relname = one.tab and c.relnamespace = (select oid from schema) and c.relkind = 'r')
  select 'table', tab, '' from one where tab not in (select tab from made)
  union all
  select 'column', tab, col || ' ' || kind from need join made using (tab) where not exists (select from pg_attribute a
    where a.attrelid = made.oid and a.attname = col and format_type(a.atttypid, a.atttypmod) = kind
      and not a.attisdropped)
  union all
  select 'key', tab, key from made where not exists (select from pg_index i join pg_attribute a
    on a.attrelid = i.indrelid and a.attnum = i.indkey[0] and a.attname = key
    where i.indrelid = made.oid and i.indisunique and i.indimmediate and i.indisvalid and i.indnkeyatts = 1
      and i.indpred is null)
  union all
  select 'unlogged', tab, '' from made where relpersistence = 'u'
  union all
  select 'hidden', tab, '' from made where row_security_active(oid)
  union all
  select 'trigger', tab, quote_ident(tgname) from made join pg_trigger on tgrelid = made.oid
    where not tgisinternal and tgenabled in ('O', 'A') and tgtype & 3 = 3
  union all
  select 'rule', tab, quote_ident(rulename) from made join pg_rewrite on ev_class = made.oid
    where ev_enabled in ('O', 'A')
  union all
  select 'heir', tab, inhrelid::regclass::text from made join pg_inherits on inhparent = made.oid
  union all
  select 'function', name, '' from unnest($5::text[]) as name where not exists (
    select from pg_proc p where p.proname = name and p.pronamespace = (select oid from schema))`

// flaws says why each kind is refused, and what to do.
var flaws = map[string]string{
	"table":    "table NAME is gone, or is no plain table; " + putBack,
	"column":   "table NAME lacks its column PART; " + putBack,
	"function": "function NAME is gone; " + putBack,
	"key": "table NAME has no unique index of PART alone, which keeps two instances from writing the same one; " +
		"alter table SCHEMA.NAME add primary key (PART)",
	"unlogged": "table NAME is unlogged, so a crash empties it; alter table SCHEMA.NAME set logged",
	"hidden": "table NAME has row level security, so the role ROLE might not find records; " +
		"alter role ROLE bypassrls, or alter table SCHEMA.NAME disable row level security",
	"trigger": "table NAME has a trigger that runs before a row is written, and may drop or change it; " +
		"drop trigger PART on SCHEMA.NAME",
	"rule": "table NAME has a rule, which may put something else in place of what is written; " +
		"drop rule PART on SCHEMA.NAME",
	"heir": "table NAME has the heir PART, whose rows are read as its own; alter table PART no inherit SCHEMA.NAME",
}

// putBack is the cure where something was removed from the schema.
const putBack = "put it back as the migrations make it (postgres.Migrations), or restore a backup"

// sound refuses a schema that does not keep, or does not show, what was written.
func (c Config) sound(ctx context.Context, conn *pgx.Conn, role string) error {
	var tables, names, kinds []string
	for _, need := range columns {
		tables, names, kinds = append(tables, need.table), append(names, need.column), append(kinds, need.kind)
	}
	rows, _ := conn.Query(ctx, askFlaws, c.Schema, tables, names, kinds, functions) // its error is in the rows
	var kind, name, part string
	var found []string
	_, err := pgx.ForEachRow(rows, []any{&kind, &name, &part}, func() error {
		text := strings.NewReplacer("NAME", name, "PART", part, "SCHEMA", c.Schema, "ROLE", role)
		found = append(found, text.Replace(flaws[kind]))
		return nil
	})
	switch {
	case err != nil:
		return fmt.Errorf("postgres: look at the tables of schema %s: %w", c.Schema, err)
	case found != nil:
		return refuse("%s", strings.Join(found, "; "))
	}
	return nil
}
