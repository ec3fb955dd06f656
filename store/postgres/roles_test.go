package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/views"
)

// newRole makes a role, which has nothing, and returns how to connect as it.
func newRole(t *testing.T, schema string) (name, url string) {
	t.Helper()
	name = "role_of_" + schema
	execute(t, shared.URL(), "create role "+name+" login")
	t.Cleanup(func() { execute(t, shared.URL(), "drop owned by "+name+"; drop role "+name) })
	return name, strings.Replace(shared.URL(), "user=postgres", "user="+name, 1)
}

// A store works by a role with the rights that docs/postgres.md names, on a schema that another made.
func TestRoleOfStore(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	execute(t, shared.URL(), migrations(t, schema, 0))
	execute(t, shared.URL(), "revoke execute on all functions in schema "+schema+" from public")
	role, url := newRole(t, schema)
	byHand := postgres.Config{URL: url, Schema: schema, ByHand: true, Connections: 6}
	for _, step := range []struct{ lacks, grant string }{
		{"usage on schema " + schema, "grant usage on schema SCHEMA to ROLE"},
		{"delete on records", "grant select, insert, update, delete on all tables in schema SCHEMA to ROLE"},
		{"execute on apply_all", "grant execute on all functions in schema SCHEMA to ROLE"},
	} {
		grant := strings.NewReplacer("SCHEMA", schema, "ROLE", role).Replace(step.grant)
		requireRefused(t, byHand, "the role "+role+" lacks ", step.lacks, grant)
		execute(t, shared.URL(), grant)
	}
	s, err := postgres.Open(t.Context(), byHand)
	require.NoError(t, err)
	for _, way := range ways {
		require.NoError(t, way.update(t.Context(), s, increment("n")))
	}
	require.Equal(t, len(ways), numberIn(t, s, "n"))
	require.NoError(t, s.Close())
}

// A role for reports reads the views alone.
func TestRoleOfReports(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, open(t, schema).Close())
	role, url := newRole(t, schema)
	execute(t, shared.URL(), "grant usage on schema "+schema+" to "+role)
	for _, view := range views.All() {
		execute(t, shared.URL(), "grant select on "+schema+"."+view.Name+" to "+role)
		require.Zero(t, ask[int64](t, url, "select count(*) from "+schema+"."+view.Name))
	}
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	defer conn.Close(context.Background()) //nolint:errcheck // of a test
	_, err = conn.Exec(context.Background(), "select from "+schema+".records")
	require.ErrorContains(t, err, "permission denied")
}

// Each view is a barrier: a condition of a reader is not asked about rows that it does not show, whose keys are secret.
func TestViewsAreBarriers(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, open(t, schema).Close())
	require.EqualValues(t, len(views.All()), ask[int64](t, shared.URL(), `select count(*) from pg_class
		where relkind = 'v' and relnamespace = $1::text::regnamespace and 'security_barrier=true' = any(reloptions)`, schema))
}

// A role that owns its schema makes what is in it, without a right on the database. One without a schema is refused.
func TestRoleOwnsItsSchema(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	role, url := newRole(t, schema)
	requireRefused(t, postgres.Config{URL: url, Schema: schema}, "may not make or change schema",
		"create schema "+schema+" authorization "+role, "or, where the program sets Config.ByHand, apply")
	execute(t, shared.URL(), "create schema "+schema+" authorization "+role)
	finds(t, postgres.Config{URL: url, Schema: schema, Connections: 6})
}
