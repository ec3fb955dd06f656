package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// noteSeen writes down what is under k.
func noteSeen(tx store.Tx) error {
	value, err := tx.Get([]byte("k"))
	if err != nil {
		return err
	}
	return tx.Put([]byte("seen"), value)
}

// failAt has the server refuse the value 1 under k.
func failAt(t *testing.T, schema string) {
	t.Helper()
	execute(t, shared.URL(), fmt.Sprintf(`create function %[1]s.fail() returns trigger language plpgsql as $$ begin
			raise exception 'planted' using errcode = '23514';
		end $$;
		create trigger fail before insert or update on %[1]s.records for each row
			when (new.key = 'k' and new.value = '1') execute function %[1]s.fail()`, schema))
}

// TestBehind: a transaction that has read what another one writes is not sent before it is known how that one ends. It
// runs again when that one stands, and commits as it is when that one has left or fails.
func TestBehind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		sent, leaves bool
		fails        bool
		value        string // that the other one writes
		waits        int    // behind it
		runs         int
		sees         string
	}{
		{name: "one that gathers", value: "1", waits: 1, runs: 2, sees: "1"},
		{name: "one that was sent", sent: true, value: "1", waits: 1, runs: 2, sees: "1"},
		{name: "one that was sent and fails", sent: true, fails: true, value: "1", waits: 1, runs: 1, sees: "0"},
		{name: "one that leaves", leaves: true, value: "1", waits: 1, runs: 1, sees: "0"},
		{name: "one that was sent and changes nothing", sent: true, value: "0", runs: 1, sees: "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s := openPatient(t, schema)
			require.NoError(t, blind(t.Context(), s, "k", "0")())
			if c.fails {
				failAt(t, schema)
			}
			letGo := hold(t, shared.URL(), "select "+schema+".turn()")
			arrives := func(waiting int, locks int64, update func() error) chan error {
				end := make(chan error, 1)
				go func() { end <- update() }()
				require.Eventually(t, func() bool { return s.Waiting() == waiting && waitingFor(t, schema) == locks }, time.Minute,
					time.Millisecond)
				return end
			}
			arrives(0, 1, blind(t.Context(), s, "first", "0"))
			ctx, cancel := context.WithCancel(t.Context())
			other := arrives(1, 1, blind(ctx, s, "k", c.value))
			if c.sent {
				second := make(chan func(), 1)
				arrives(1, 2, func() error { second <- hold(t, shared.URL(), "select "+schema+".turn()"); return nil })
				letGo()
				letGo = <-second
				require.Eventually(t, func() bool { return s.Waiting() == 0 && waitingFor(t, schema) == 1 }, time.Minute,
					time.Millisecond)
			}
			runs, alone := 0, s.Waiting()
			end := arrives(alone+1, 1, func() error {
				return s.Update(t.Context(), func(tx store.Tx) error { runs++; return noteSeen(tx) })
			})
			require.Equal(t, c.waits, s.Behind())
			if c.leaves {
				cancel()
				require.ErrorIs(t, <-other, context.Canceled)
				require.Equal(t, []int{1, 1}, []int{s.Waiting(), s.Behind()}, "until the next group is taken")
			}
			letGo()
			require.NoError(t, within(t, time.Minute, func() error { return <-end }))
			require.Equal(t, c.runs, runs)
			require.Equal(t, c.sees, textIn(t, s, "seen"))
			if c.fails {
				require.ErrorContains(t, within(t, time.Minute, func() error { return <-other }), "planted")
			}
			cancel()
		})
	}
}
