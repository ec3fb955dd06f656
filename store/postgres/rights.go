package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// What a role needs in a schema that others made, beside usage of it.
var (
	tableRights = []struct{ rights, table string }{
		{"select", "versions"},
		{"select, insert, update, delete", "records"},
		{"select, insert, update, delete", "lanes"},
	}
	functions = []string{"turn", "apply", "apply_all", "settle"}
)

// askRights lists what the role may not do with what the store has in the schema, in the order above. It asks for each
// by its number: by its name one gets an error where the schema itself may not be used.
const askRights = `with s as (select oid from pg_namespace where nspname = $1)
  select coalesce(array_agg(lacks order by part, place), '{}') from (
    select 0 as part, 0 as place, 'usage on schema ' || $1 as lacks from s
    where not has_schema_privilege(s.oid, 'usage')
    union all
    select 1, place, what || ' on ' || relname
    from s, pg_class c, unnest($2::text[], $3::text[]) with ordinality as n (what, name, place)
    where relnamespace = s.oid and relname = name and relkind = 'r' and not has_table_privilege(c.oid, what)
    union all
    select 2, array_position($4::text[], proname::text), 'execute on ' || proname from s, pg_proc p
    where pronamespace = s.oid and proname = any($4::text[]) and not has_function_privilege(p.oid, 'execute')) as l`

// lacking refuses a role that others made the schema for, and that lacks a right on it.
func (c Config) lacking(ctx context.Context, conn *pgx.Conn, role string) error {
	var rights, tables, lacks []string
	for _, need := range tableRights {
		for right := range strings.SplitSeq(need.rights, ", ") {
			rights, tables = append(rights, right), append(tables, need.table)
		}
	}
	if err := conn.QueryRow(ctx, askRights, c.Schema, rights, tables, functions).Scan(&lacks); err != nil {
		return fmt.Errorf("postgres: look at the rights on schema %s: %w", c.Schema, err)
	}
	if len(lacks) == 0 {
		return nil
	}
	return refuse("the role %s lacks %s; let it own the schema and what is in it, or apply: %s",
		role, strings.Join(lacks, ", "), strings.Join(c.grants(role), "; "))
}

// grants returns the statements that give a role what it needs.
func (c Config) grants(role string) []string {
	all := []string{"grant usage on schema " + c.Schema + " to " + role}
	for _, need := range tableRights {
		all = append(all, fmt.Sprintf("grant %s on %s.%s to %s", need.rights, c.Schema, need.table, role))
	}
	for _, name := range functions {
		all = append(all, fmt.Sprintf("grant execute on function %s.%s to %s", c.Schema, name, role))
	}
	return all
}

// roleOf returns whose rights a connection has, as SQL writes it.
func roleOf(ctx context.Context, conn *pgx.Conn) (role string, err error) {
	if err = conn.QueryRow(ctx, "select quote_ident(current_user)").Scan(&role); err != nil {
		return "", fmt.Errorf("postgres: ask for the role: %w", err)
	}
	return role, nil
}
