package postgres_test

import (
	"bytes"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// TestNotRead: a key that is written and was not read is taken to be new. One that is not is overwritten all the same,
// by one more trip, and its neighbours stand. From then on its kind is not taken so.
func TestNotRead(t *testing.T) {
	t.Parallel()
	schema, tape := newSchema(t), &tape{}
	s, err := postgres.Open(t.Context(),
		postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6, Adjust: tape.adjust})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	trips := func(keys ...string) int {
		tape.mu.Lock()
		tape.runs, tape.commits = true, nil
		tape.mu.Unlock()
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
			for _, key := range keys {
				require.NoError(t, tx.Put([]byte(key), []byte("new")))
			}
			return nil
		}))
		for _, key := range keys {
			require.Equal(t, "new", textIn(t, s, key))
		}
		tape.mu.Lock()
		defer tape.mu.Unlock()
		return len(tape.commits)
	}
	const old, other = "old\x00", "oth\x00"
	require.NoError(t, blind(t.Context(), s, old+"1", "old")())
	require.Equal(t, 1, trips(other+"1", other+"2"))
	require.Equal(t, 2, trips(other+"3", old+"1", old+"2"), "one has a value")
	require.Equal(t, 1, trips(old+"1", old+"2", old+"3"), "the kind is known")
	for _, key := range []string{"a", "b"} {
		require.NoError(t, blind(t.Context(), s, key, "old")())
	}
	for _, end := range line(t, s, schema, blind(t.Context(), s, "first", "0"), blind(t.Context(), s, "a", "1"),
		blind(t.Context(), s, "c", "2"), blind(t.Context(), s, "b", "3")) {
		require.NoError(t, <-end)
	}
	require.Equal(t, []string{"1", "3", "2"}, []string{textIn(t, s, "a"), textIn(t, s, "b"), textIn(t, s, "c")})
}

// TestNewAgain: after a while keys of a kind are taken to be new again. Those of other kinds are all the time.
func TestNewAgain(t *testing.T) {
	t.Parallel()
	m := postgres.Memory()
	require.True(t, m.IsNew("k\x001"))
	m.Overwrote("k\x001")
	for range postgres.WrittenAgain {
		require.False(t, m.IsNew("k\x002"))
		require.True(t, m.IsNew("k2\x00"))
	}
	require.True(t, m.IsNew("k\x002"))
}

// TestLentRoom: a message is written to memory that is lent, and the connection has let go of that when it is sent.
func TestLentRoom(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 1000, 1023, 1024, 1025, 100_000} {
		var sent bytes.Buffer
		frontend := pgproto3.NewFrontend(nil, &sent)
		argument := bytes.Repeat([]byte{7}, size)
		room, err := postgres.Lend(frontend, argument)
		require.NoError(t, err)
		require.Contains(t, sent.String(), string(argument))
		require.Equal(t, size > 1024, bytes.Contains(room, argument), "%d bytes", size)
		kept := bytes.Clone(room)
		frontend.SendSync(&pgproto3.Sync{})
		require.NoError(t, frontend.Flush())
		require.Equal(t, kept, room, "%d bytes", size)
	}
}
