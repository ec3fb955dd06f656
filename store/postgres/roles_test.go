package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/views"
)

// newRole makes a role, which has nothing, and returns how to connect as it. Its name has to be quoted.
func newRole(t *testing.T, schema string) (quoted, url string) {
	t.Helper()
	name := "Role-of-" + schema
	quoted = pgx.Identifier{name}.Sanitize()
	execute(t, shared.URL(), "create role "+quoted+" login")
	t.Cleanup(func() { execute(t, shared.URL(), "drop owned by "+quoted+"; drop role "+quoted) })
	return quoted, as(shared.URL(), name)
}

// as returns how to connect as a role.
func as(url, role string) string { return strings.Replace(url, "user=postgres", "user="+role, 1) }

// A store works by a role with the rights that docs/postgres.md names, on a schema that another made. What others have
// in the schema is nothing to it.
func TestRoleOfStore(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	execute(t, shared.URL(), migrations(t, schema, 0))
	execute(t, shared.URL(), "revoke execute on all functions in schema "+schema+" from public")
	execute(t, shared.URL(), strings.ReplaceAll(`create table SCHEMA.turn ();
		create function SCHEMA.records() returns int language sql as 'select 1';
		revoke execute on function SCHEMA.records() from public`, "SCHEMA", schema))
	role, url := newRole(t, schema)
	byHand := postgres.Config{URL: url, Schema: schema, ByHand: true, Connections: 6}
	const all = ", select on versions, select on records, insert on records, update on records, delete on records, " +
		"select on lanes, insert on lanes, update on lanes, delete on lanes, " +
		"execute on turn, execute on apply, execute on apply_all, execute on settle; "
	for _, step := range []struct{ lacks, grant string }{
		{"usage on schema " + schema + all, "grant usage on schema SCHEMA to ROLE"},
		{"select on versions", "grant select on SCHEMA.versions to ROLE"},
		{"delete on records", "grant select, insert, update, delete on SCHEMA.records to ROLE"},
		{"insert on lanes", "grant select, insert, update, delete on SCHEMA.lanes to ROLE"},
		{"execute on turn", "grant execute on function SCHEMA.turn to ROLE"},
		{"execute on apply,", "grant execute on function SCHEMA.apply to ROLE"},
		{"execute on settle", "grant execute on function SCHEMA.settle to ROLE"},
		{"execute on apply_all", "grant execute on function SCHEMA.apply_all to ROLE"},
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
	execute(t, shared.URL(), "alter table "+schema+".records enable row level security")
	bypass := "alter role " + role + " bypassrls"
	requireRefused(t, byHand, "table records has row level security", bypass,
		"alter table "+schema+".records disable row level security")
	execute(t, shared.URL(), bypass)
	s, err = postgres.Open(t.Context(), byHand)
	require.NoError(t, err)
	require.Equal(t, len(ways), numberIn(t, s, "n"))
	require.NoError(t, s.Close())
}

// Another role's rights are those of a connection that takes them on, and the text of a refusal names that one.
func TestRoleThatIsTakenOn(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	owner, _ := newRole(t, newSchema(t))
	login, url := newRole(t, newSchema(t))
	execute(t, shared.URL(), "grant "+owner+" to "+login+"; alter role "+login+" set role "+owner)
	requireRefused(t, postgres.Config{URL: url, Schema: schema}, "the role "+owner+" may not make or change schema",
		"create schema "+schema+" authorization "+owner)
	execute(t, shared.URL(), "create schema "+schema+" authorization "+owner)
	finds(t, postgres.Config{URL: url, Schema: schema, Connections: 6})
}

// traps are functions of another role that suit what the store calls better than those of the server: these take
// arguments of any type. Each tells who has called it.
const traps = `grant create on schema public to public; set role ROLE; create function public.trapped() returns text
		language plpgsql as $$ begin raise exception 'trapped %', current_user; end $$;
	create function public.cardinality(bytea[]) returns int language sql as 'select public.trapped()::int';
	create function public.cardinality(int[]) returns int language sql as 'select public.trapped()::int';
	create function public.unnest(int[]) returns setof int language sql as 'select public.trapped()::int';
	create function public.joined(int[], int[]) returns int[] language sql as 'select public.trapped()::int[]';
	create operator public.|| (leftarg = int[], rightarg = int[], function = public.joined);
	create function public.convert_from(bytea, text) returns text language sql as 'select public.trapped()'`

// TestFunctionsOfOthers: who may make functions in the database has none called with the rights of the store's role, or
// of one for reports.
func TestFunctionsOfOthers(t *testing.T) {
	t.Parallel()
	other, _ := newRole(t, newSchema(t))
	reports, reportsURL := newRole(t, newSchema(t))
	database, url := newDatabase(t)
	execute(t, url, strings.ReplaceAll(traps, "ROLE", other))
	reportsURL = strings.Replace(reportsURL, "/postgres?", "/"+database+"?", 1)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 6})
	require.NoError(t, err)
	for _, way := range ways {
		require.NoError(t, way.update(t.Context(), s, increment("n")))
	}
	require.Equal(t, len(ways), numberIn(t, s, "n"))
	payment := store.NewPair([]byte("p\x00\x01id\x00\x01"), []byte(`{"s":"SETTLED","at":1}`))
	require.NoError(t, s.PutByApply(t.Context(), payment))
	require.NoError(t, s.Close())
	execute(t, url, "grant usage on schema tollgate to "+reports+"; grant select on tollgate.payments to "+reports)
	require.Equal(t, "id SETTLED", ask[string](t, reportsURL, "select id || ' ' || status from tollgate.payments"))
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

// A schema of an older version that others own is not upgraded, and the text says how it is to be owned.
func TestRoleDoesNotOwnItsSchema(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, open(t, schema).Close())
	role, url := newRole(t, schema)
	execute(t, shared.URL(), strings.NewReplacer("SCHEMA", schema, "ROLE", role).Replace(`delete from SCHEMA.versions
		where version = (select max(version) from SCHEMA.versions);
		grant usage on schema SCHEMA to ROLE; grant all on all tables in schema SCHEMA to ROLE`))
	requireRefused(t, postgres.Config{URL: url, Schema: schema}, "may not make or change schema "+schema,
		"alter schema "+schema+" owner to "+role+", and so its tables, views and functions")
}

// TestTakenAway: what a commit lacks now, a right or a part of the schema, is told at once, also where only a new lane
// needs it. Nothing was sent then, and no patience helps.
func TestTakenAway(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		for _, c := range []struct{ name, take, give, says string }{
			{"a right on lanes", "revoke insert on SCHEMA.lanes from ROLE", "grant insert on SCHEMA.lanes to ROLE",
				"permission denied for table lanes"},
			{"a right on records", "revoke insert on SCHEMA.records from ROLE", "grant insert on SCHEMA.records to ROLE",
				"permission denied for table records"},
			{"lanes", "alter table SCHEMA.lanes rename to away", "alter table SCHEMA.away rename to lanes",
				`lanes" does not exist`},
			{"turn", "alter function SCHEMA.turn rename to away", "alter function SCHEMA.away rename to turn",
				"turn() does not exist"},
		} {
			t.Run(way.name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				schema := newSchema(t)
				role, url := newRole(t, schema)
				in := strings.NewReplacer("SCHEMA", schema, "ROLE", role).Replace
				execute(t, shared.URL(), in("create schema SCHEMA authorization ROLE"))
				s, err := postgres.Open(t.Context(), postgres.Config{URL: url, Schema: schema, Connections: 6,
					Patience: time.Hour})
				require.NoError(t, err)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				execute(t, shared.URL(), in(c.take))
				err = way.update(ctx, s, increment("n"))
				require.ErrorContains(t, err, c.says)
				require.NotErrorIs(t, err, store.ErrUnknownCommit)
				execute(t, shared.URL(), in(c.give))
				require.NoError(t, way.update(ctx, s, increment("n")))
				require.Equal(t, 1, numberIn(t, s, "n"))
				require.NoError(t, s.Close())
			})
		}
	}
}

// A role's limit of transactions, which PostgreSQL has from version 17 on, is none of the store's.
func TestRoleWithTransactionTimeout(t *testing.T) {
	t.Parallel()
	if ask[int](t, shared.URL(), "select current_setting('server_version_num')::int") < 170000 {
		t.Skip("not tested: the server is older than transaction_timeout; .ci/postgres 17 has it")
	}
	schema := newSchema(t)
	role, url := newRole(t, schema)
	execute(t, shared.URL(), "create schema "+schema+" authorization "+role)
	execute(t, shared.URL(), "alter role "+role+" set transaction_timeout = '300ms'")
	s, err := postgres.Open(t.Context(), postgres.Config{URL: url, Schema: schema, Connections: 6})
	require.NoError(t, err)
	_, limit, err := s.Setting(t.Context(), "transaction_timeout")
	require.NoError(t, err)
	require.Equal(t, "0", limit)
	require.NoError(t, s.Close())
}
