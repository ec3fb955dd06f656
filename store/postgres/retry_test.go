package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// answers are errors with which a server may end a commit, and whether another attempt may succeed.
var answers = []struct {
	name, code string
	again      bool
}{
	{"a serialization failure", "40001", true},
	{"a deadlock", "40P01", true},
	{"too many connections", "53300", true},
	{"no memory", "53200", true},
	{"a full disk", "53100", true},
	{"no lock in time", "55P03", true},
	{"cancelled by an administrator", "57014", true},
	{"read-only for a while", "25006", true},
	{"a session that was silent", "25P03", true},
	{"a broken rule", "23514", false},
	{"no right", "42501", false},
}

// fails makes the next commits of a schema end with an error, and returns how often one was tried.
func fails(t *testing.T, schema, code string, times int) (tried func() int64) {
	t.Helper()
	execute(t, shared.URL(), fmt.Sprintf(`create sequence %[1]s.tries;
		create function %[1]s.fail() returns trigger language plpgsql as $$ begin
			if nextval('%[1]s.tries') <= %[2]d then raise exception 'planted' using errcode = '%[3]s'; end if;
			return null;
		end $$;
		create trigger fail before insert or update on %[1]s.records for each statement execute function %[1]s.fail()`,
		schema, times, code))
	return func() int64 {
		return ask[int64](t, shared.URL(), "select case when is_called then last_value else 0 end from "+schema+".tries")
	}
}

// TestAnswers: an error after which another attempt may succeed is not seen by the caller while the store has patience;
// then, and after any other, the caller is told it, and nothing was written.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		for _, c := range answers {
			t.Run(way.name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				schema := newSchema(t)
				s := open(t, schema)
				tried := fails(t, schema, c.code, 3)
				err := way.update(t.Context(), s, increment("n"))
				if !c.again {
					require.ErrorContains(t, err, "planted")
					require.NotErrorIs(t, err, store.ErrUnknownCommit)
					require.Zero(t, numberIn(t, s, "n"))
					return
				}
				require.NoError(t, err)
				require.Equal(t, 1, numberIn(t, s, "n"))
				require.GreaterOrEqual(t, tried(), int64(4))
			})
		}
		t.Run(way.name+", for ever", func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
				Patience: time.Second})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			tried := fails(t, schema, "40001", 1<<30)
			err = way.update(t.Context(), s, increment("n"))
			require.ErrorContains(t, err, "planted")
			require.NotErrorIs(t, err, store.ErrUnknownCommit)
			require.Zero(t, numberIn(t, s, "n"))
			require.Greater(t, tried(), int64(1))
			require.Less(t, tried(), int64(50), "pauses grow")
		})
	}
}

// TestPauses: a pause gets longer with the attempts, up to a bound, and those of instances that lost a server at the
// same time end at many moments.
func TestPauses(t *testing.T) {
	t.Parallel()
	for attempt := range 200 {
		longest := min(10*time.Millisecond<<min(attempt, 10), 500*time.Millisecond)
		lengths := map[time.Duration]bool{}
		for range 100 {
			length := postgres.PauseBefore(attempt)
			require.GreaterOrEqual(t, length, longest/2, "attempt %d", attempt)
			require.Less(t, length, longest, "attempt %d", attempt)
			lengths[length] = true
		}
		require.Greater(t, len(lengths), 50, "attempt %d", attempt)
	}
}
