package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLanes: a store that is closed takes its own lanes away, and those that nobody has used for a month. One that
// finds its lane gone opens another.
func TestLanes(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	one, other := open(t, schema), open(t, schema)
	lanes := func() int64 { return ask[int64](t, shared.URL(), "select count(*) from "+schema+".lanes") }
	for _, way := range ways {
		require.NoError(t, way.update(t.Context(), one, increment("n")))
		require.NoError(t, way.update(t.Context(), other, increment("n")))
	}
	require.EqualValues(t, 4, lanes())
	execute(t, shared.URL(), "insert into "+schema+".lanes (id, number, seen) values "+
		"(gen_random_uuid(), 1, now() - interval '31 days'), (gen_random_uuid(), 1, now() - interval '29 days')")
	require.NoError(t, one.Close())
	require.EqualValues(t, 3, lanes(), "those of the other, and the younger one")
	execute(t, shared.URL(), "delete from "+schema+".lanes")
	for _, way := range ways {
		require.NoError(t, way.update(t.Context(), other, increment("n")), way.name)
	}
	require.EqualValues(t, 2, lanes())
	require.Equal(t, 6, numberIn(t, other, "n"))
}
