package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// askRights lists what the role may not do with what is in the schema. It asks for each by its number: by its name one
// gets an error where the schema itself may not be used.
const askRights = `with s as (select oid from pg_namespace where nspname = $1)
  select coalesce(array_agg(lacks), '{}') from (
    select 'usage on schema ' || $1 as lacks from s where not has_schema_privilege(s.oid, 'usage')
    union all
    select what || ' on ' || relname from s, pg_class c, unnest(array['select', 'insert', 'update', 'delete']) what
    where relnamespace = s.oid and relkind in ('r', 'p') and not has_table_privilege(c.oid, what)
    union all
    select 'execute on ' || proname from s, pg_proc p
    where pronamespace = s.oid and not has_function_privilege(p.oid, 'execute')) as l`

// lacking refuses a role that others made the schema for, and that lacks a right on it.
func (c Config) lacking(ctx context.Context, conn *pgx.Conn) error {
	var lacks []string
	if err := conn.QueryRow(ctx, askRights, c.Schema).Scan(&lacks); err != nil {
		return fmt.Errorf("postgres: look at the rights on schema %s: %w", c.Schema, err)
	}
	if len(lacks) == 0 {
		return nil
	}
	grants := strings.NewReplacer("SCHEMA", c.Schema, "ROLE", conn.Config().User).Replace(
		"grant usage on schema SCHEMA to ROLE; " +
			"grant select, insert, update, delete on all tables in schema SCHEMA to ROLE; " +
			"grant execute on all functions in schema SCHEMA to ROLE")
	return refuse("the role %s lacks %s; let it own the schema and what is in it, or apply: %s",
		conn.Config().User, strings.Join(lacks, ", "), grants)
}
