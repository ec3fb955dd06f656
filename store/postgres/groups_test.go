package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// TestLeavesTheLine: a caller whose context ends before its group was begun is told so, and nothing is written. It may
// be in the group that gathers, or behind it since that one writes the same key.
func TestLeavesTheLine(t *testing.T) {
	t.Parallel()
	for before, stays := range map[string]string{"other": "absent", "k": "0"} {
		t.Run(before, func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s := openPatient(t, schema)
			letGo := hold(t, shared.URL(), "select "+schema+".turn()")
			ctx, cancel := context.WithCancel(t.Context())
			ends := lineUp(t, s, schema, blind(t.Context(), s, "first", "0"), blind(t.Context(), s, before, "0"),
				blind(ctx, s, "k", "1"))
			cancel()
			err := within(t, 20*time.Second, func() error { return <-ends[2] })
			require.ErrorIs(t, err, context.Canceled)
			require.NotErrorIs(t, err, store.ErrUnknownCommit)
			letGo()
			for _, end := range ends[:2] {
				require.NoError(t, within(t, time.Minute, func() error { return <-end }))
			}
			require.NoError(t, s.Update(t.Context(), increment("n")), "behind it")
			require.Equal(t, stays, textIn(t, s, "k"))
		})
	}
}

// failsFor makes all commits of a key fail in a way that may pass, and returns how often one was tried.
func failsFor(t *testing.T, schema, key string) (tried func() int64) {
	t.Helper()
	execute(t, shared.URL(), fmt.Sprintf(`create sequence %[1]s.tries;
		create function %[1]s.fail() returns trigger language plpgsql as $$ begin
			perform nextval('%[1]s.tries');
			raise exception 'planted' using errcode = '40001';
		end $$;
		create trigger fail before insert on %[1]s.records for each row when (new.key = '%[2]s')
			execute function %[1]s.fail()`, schema, key))
	t.Cleanup(func() { execute(t, shared.URL(), "drop trigger if exists fail on "+schema+".records") }) // and ends
	return func() int64 {
		return ask[int64](t, shared.URL(), "select case when is_called then last_value else 0 end from "+schema+".tries")
	}
}

// TestOneOfAGroupLeaves: a group that does not succeed at once is tried again also when one of its callers has gone.
func TestOneOfAGroupLeaves(t *testing.T) {
	t.Parallel()
	for _, at := range []int{1, 2} { // who leaves: the first of the group, or the last
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s := openPatient(t, schema)
			tried := failsFor(t, schema, "k")
			ctx, cancel := context.WithCancel(t.Context())
			updates := []func() error{blind(t.Context(), s, "first", "0"), blind(t.Context(), s, "k", "1")}
			ends := line(t, s, schema, slices.Insert(updates, at, blind(ctx, s, "other", "2"))...)
			require.NoError(t, <-ends[0])
			require.Eventually(t, func() bool { return tried() > 0 }, time.Minute, time.Millisecond)
			cancel()
			require.ErrorIs(t, within(t, 20*time.Second, func() error { return <-ends[at] }), context.Canceled)
			execute(t, shared.URL(), "drop trigger fail on "+schema+".records")
			require.NoError(t, within(t, time.Minute, func() error { return <-ends[3-at] }))
			require.Equal(t, "1", textIn(t, s, "k"))
		})
	}
}

// TestAllOfAGroupLeave: a group that does not succeed is given up when all of its callers have gone, so that others do
// not wait for it.
func TestAllOfAGroupLeave(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := openPatient(t, schema)
	tried := failsFor(t, schema, "k")
	ctx, cancel := context.WithCancel(t.Context())
	ends := line(t, s, schema, blind(t.Context(), s, "first", "0"), blind(ctx, s, "k", "1"), blind(ctx, s, "other", "2"))
	require.NoError(t, <-ends[0])
	require.Eventually(t, func() bool { return tried() > 0 }, time.Minute, time.Millisecond)
	cancel()
	for _, end := range ends[1:] {
		require.ErrorIs(t, within(t, 20*time.Second, func() error { return <-end }), context.Canceled)
	}
	require.NoError(t, within(t, time.Minute, func() error { return s.Update(t.Context(), increment("n")) }))
	require.Equal(t, "absent", textIn(t, s, "k"))
}

// TestGroupsAreBounded: of many who wait at the same time, or who write much, not all are in one group.
func TestGroupsAreBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		callers, bytes int
		groups         int64
	}{
		"members": {postgres.MaxMembers + 40, 1, 2},
		"many":    {2*postgres.MaxMembers + 40, 1, 3},
		"bytes":   {postgres.MaxBytes>>19 + 4, 1 << 19, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s := openPatient(t, schema)
			letGo := hold(t, shared.URL(), "select "+schema+".turn()")
			ended := make(chan error, c.callers+1)
			put := func(key string, value []byte) {
				ended <- s.Update(t.Context(), func(tx store.Tx) error { return tx.Put([]byte(key), value) })
			}
			go put("first", nothing)
			require.Eventually(t, func() bool { return waitingFor(t, schema) == 1 }, time.Minute, time.Millisecond)
			for i := range c.callers {
				go put(keyOf(i), make([]byte, c.bytes))
			}
			require.Eventually(t, func() bool { return s.Waiting() == c.callers }, time.Minute, time.Millisecond)
			letGo()
			for range cap(ended) {
				require.NoError(t, within(t, time.Minute, func() error { return <-ended }))
			}
			groups, members, _, _ := s.Counts()
			require.Equal(t, []int64{1 + c.groups, int64(1 + c.callers)}, []int64{groups, members})
		})
	}
}
