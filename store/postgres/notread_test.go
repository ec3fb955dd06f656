package postgres_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// notRead is an instance whose trips to commit are counted, and another one that writes unseen by it.
type notRead struct {
	*postgres.Store
	schema string
	other  *postgres.Store
	tape   *tape
}

func openNotRead(t *testing.T) *notRead {
	t.Helper()
	n := &notRead{schema: newSchema(t), tape: &tape{runs: true}}
	n.other = openPatient(t, n.schema)
	s, err := postgres.Open(t.Context(),
		postgres.Config{URL: shared.URL(), Schema: n.schema, Connections: 6, Adjust: n.tape.adjust})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	n.Store = s
	return n
}

// had has the other instance put values under keys.
func (n *notRead) had(t *testing.T, keys ...string) {
	t.Helper()
	for _, key := range keys {
		require.NoError(t, blind(t.Context(), n.other, key, "old")())
	}
}

// trips returns how many trips it takes to write these keys in one transaction, which reads what it is told to first.
func (n *notRead) trips(t *testing.T, reads func(store.Tx) error, keys ...string) int {
	t.Helper()
	n.tape.mu.Lock()
	n.tape.commits = nil
	n.tape.mu.Unlock()
	require.NoError(t, n.Update(t.Context(), func(tx store.Tx) error {
		if err := reads(tx); err != nil {
			return err
		}
		for _, key := range keys {
			require.NoError(t, tx.Put([]byte(key), []byte("new")))
		}
		return nil
	}))
	for _, key := range keys {
		require.Equal(t, "new", textIn(t, n.other, key))
	}
	n.tape.mu.Lock()
	defer n.tape.mu.Unlock()
	return len(n.tape.commits)
}

func noReads(store.Tx) error { return nil }

// TestNotRead: a key that is written and was not read is taken to be new. One that is not is overwritten all the same,
// by one more trip. From then on its kind is not taken so.
func TestNotRead(t *testing.T) {
	t.Parallel()
	n := openNotRead(t)
	n.had(t, "m\x001", "m\x002", "x\x001")
	require.Equal(t, 1, n.trips(t, noReads, "a\x001", "m\x000"))
	require.Equal(t, 2, n.trips(t, noReads, "a\x002", "m\x001", "z\x001"), "one has a value")
	require.Equal(t, 1, n.trips(t, noReads, "m\x002"), "the kind is known")
	require.Equal(t, 1, n.trips(t, noReads, "r\x001"))
	require.Equal(t, 1, n.trips(t, noReads, "r\x001"), "the value is known")
	require.Equal(t, 2, n.trips(t, noReads, "x\x001"), "the kind is not")
}

// TestNotReadByLosers: a transaction that has lost against another says nothing of the keys that it writes.
func TestNotReadByLosers(t *testing.T) {
	t.Parallel()
	n := openNotRead(t)
	require.NoError(t, n.Update(t.Context(), putting("old")))
	n.had(t, "k", "w\x002")
	require.NoError(t, n.other.Update(t.Context(), putting("new")))
	reads := func(tx store.Tx) error { _, err := text(tx, "k"); return err }
	require.Equal(t, 3, n.trips(t, reads, "w\x001"), "its first attempt is in vain")
	require.Equal(t, 2, n.trips(t, noReads, "w\x002"), "and its kind is new still")
}

// TestNotReadInGroups: a key that is not new harms none of those who are committed beside it, and says nothing of the
// keys of other groups.
func TestNotReadInGroups(t *testing.T) {
	t.Parallel()
	n := openNotRead(t)
	n.had(t, "a\x001", "b\x001", "e\x002")
	values := map[string]string{"e\x001": "0", "f\x001": "0", "a\x001": "1", "c\x001": "2", "b\x001": "3"}
	for _, group := range [][]string{{"e\x001"}, {"f\x001"}, {"a\x001", "c\x001", "b\x001"}} {
		updates := []func() error{blind(t.Context(), n.Store, "first", "0")}
		for _, key := range group {
			updates = append(updates, blind(t.Context(), n.Store, key, values[key]))
		}
		for _, end := range line(t, n.Store, n.schema, updates...) {
			require.NoError(t, <-end)
		}
	}
	for key, value := range values {
		require.Equal(t, value, textIn(t, n.other, key))
	}
	require.Equal(t, 2, n.trips(t, noReads, "e\x002"), "its kind was in a group before")
}

// TestNewAgain: after a while keys of a kind are taken to be new again. Those of other kinds are all the time, and one
// whose value is known never is.
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
	m.Wrote(store.NewPair([]byte("k\x002"), []byte("value")))
	require.False(t, m.IsNew("k\x002"))
	m.Wrote(store.NewPair([]byte("k\x002"), nil))
	require.True(t, m.IsNew("k\x002"))
}

// TestKindsAreBounded: kinds that were not new do not pile up, and one that comes again drives none away.
func TestKindsAreBounded(t *testing.T) {
	t.Parallel()
	m := postgres.Memory()
	for i := range postgres.RecentKinds {
		m.Overwrote(fmt.Sprint(i))
	}
	m.Overwrote("0")
	require.False(t, m.IsNew("1"))
	for i := range 3 * postgres.RecentKinds {
		m.Overwrote(fmt.Sprint(i))
		require.False(t, m.IsNew(fmt.Sprint(i)))
		require.LessOrEqual(t, m.KindsWritten(), postgres.RecentKinds)
	}
}

// TestLentRoom: a message is written to memory that is lent, behind what waits to be sent, and the connection has let
// go of that memory when it is taken back.
func TestLentRoom(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 1000, 1023, 1024, 1025, 100_000} {
		for _, flushed := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d bytes, flushed %t", size, flushed), func(t *testing.T) {
				t.Parallel()
				var sent bytes.Buffer
				frontend := pgproto3.NewFrontend(nil, &sent)
				argument := bytes.Repeat([]byte{7}, size)
				frontend.SendParse(&pgproto3.Parse{Name: "waits"})
				l := postgres.Lend(frontend, argument)
				if flushed {
					require.NoError(t, frontend.Flush())
				}
				require.Equal(t, size > 1024, bytes.Contains(l.Room(), argument))
				kept := bytes.Clone(l.Room())
				if !flushed { // as no connection does that has been answered
					l.TakeBack(frontend)
				}
				frontend.SendSync(&pgproto3.Sync{})
				require.NoError(t, frontend.Flush())
				require.Equal(t, kept, l.Room())
				require.Contains(t, sent.String(), string(argument))
				require.Contains(t, sent.String(), "waits")
				require.Less(t, strings.Index(sent.String(), "waits"), strings.Index(sent.String(), string(argument)))
			})
		}
	}
}

// TestNoRoomAfterAnError: memory that was lent for a call that fails is not used by another call. The connection may
// have it still.
func TestNoRoomAfterAnError(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), shared.URL())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	ended, end := context.WithCancel(t.Context())
	end()
	for range 100 { // the pool gives what it was given last, as a rule
		again, err := postgres.CallTwice(ended, conn, 100_000)
		require.Error(t, err)
		require.False(t, again)
	}
	once := false
	for range 100 {
		again, err := postgres.CallTwice(t.Context(), conn, 100_000)
		require.NoError(t, err)
		once = once || again
	}
	require.True(t, once)
}

// TestKeptRoom: memory that one large call has needed is not kept.
func TestKeptRoom(t *testing.T) {
	t.Parallel()
	require.True(t, postgres.Kept(postgres.KeptRoom/2, postgres.KeptRoom/2))
	require.False(t, postgres.Kept(postgres.KeptRoom+1, 0))
	require.False(t, postgres.Kept(0, postgres.KeptRoom+1))
}
