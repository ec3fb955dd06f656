package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// TestTwoReadsOfOneKey: of two members of a group who have read a key before and after it has changed, the former
// does not stand.
func TestTwoReadsOfOneKey(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := openPatient(t, schema)
	require.NoError(t, blind(t.Context(), s, "k", "old")())
	letGo := hold(t, shared.URL(), "select "+schema+".turn()")
	first := lineUp(t, s, schema, blind(t.Context(), s, "first", "0"))[0]
	read, after, ends := make(chan struct{}), make(chan struct{}), make(chan error, 2)
	wait := sync.OnceFunc(func() { close(read); <-after })
	runs := 0
	go func() {
		ends <- s.Update(t.Context(), func(tx store.Tx) error {
			runs++
			k, err := text(tx, "k")
			if wait(); err != nil {
				return err
			}
			return tx.Put([]byte("seen"), []byte(k))
		})
	}()
	<-read
	execute(t, shared.URL(), "update "+schema+".records set value = 'new' where key = 'k'")
	go func() {
		ends <- s.Update(t.Context(), func(tx store.Tx) error {
			if _, err := count(tx, store.Range{Prefix: []byte("k"), Limit: 9}); err != nil { // not from memory
				return err
			}
			return tx.Put([]byte("beside"), nothing)
		})
	}()
	require.Eventually(t, func() bool { return s.Waiting() == 1 }, time.Minute, time.Millisecond)
	close(after)
	require.Eventually(t, func() bool { return s.Waiting() == 2 }, time.Minute, time.Millisecond)
	letGo()
	require.NoError(t, <-first)
	require.NoError(t, <-ends)
	require.NoError(t, <-ends)
	require.Equal(t, 2, runs)
	require.Equal(t, "new", textIn(t, s, "seen"))
}

// TestScanMeetsItsFirstKey: a transaction that has scanned from a key, and one that writes just that key and has
// read what the first one writes, are not in one group.
func TestScanMeetsItsFirstKey(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := openPatient(t, schema)
	var puts, scans atomic.Int64
	for _, end := range line(t, s, schema, blind(t.Context(), s, "first", "0"),
		func() error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				puts.Add(1)
				a, err := text(tx, "a")
				if err != nil || a != "absent" {
					return err
				}
				return tx.Put([]byte("k"), nothing)
			})
		},
		func() error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				scans.Add(1)
				n, err := count(tx, store.Range{Prefix: []byte("k"), Limit: 9})
				if err != nil || n > 0 {
					return err
				}
				return tx.Put([]byte("a"), nothing)
			})
		}) {
		require.NoError(t, <-end)
	}
	require.EqualValues(t, 1, puts.Load())
	require.EqualValues(t, 2, scans.Load())
	require.Equal(t, "absent", textIn(t, s, "a"))
}

// TestGroupsForget: what a group has removed or written is done once, and not again with a later group that has its
// memory.
func TestGroupsForget(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := openPatient(t, schema)
	putAll(t, s, "gone", "k")
	removes := func() error {
		return s.Update(t.Context(), func(tx store.Tx) error { return tx.Delete([]byte("gone")) })
	}
	for _, end := range line(t, s, schema, blind(t.Context(), s, "first", "0"), removes, blind(t.Context(), s, "k", "1"),
		func() error { return s.Update(t.Context(), increment("n")) }) {
		require.NoError(t, <-end)
	}
	require.NoError(t, blind(t.Context(), s, "gone", "back")())
	require.NoError(t, blind(t.Context(), s, "k", "2")())
	for i := range 3 { // one of the groups has the memory
		for _, end := range line(t, s, schema, blind(t.Context(), s, "first", "0"),
			blind(t.Context(), s, "other", string(rune('a'+i)))) {
			require.NoError(t, <-end)
		}
	}
	require.Equal(t, "back", textIn(t, s, "gone"))
	require.Equal(t, "2", textIn(t, s, "k"))
}

// TestLeaverIsToldInTime: a caller whose context ends while its commit is under way is told how that ended, where that
// is known soon: one that sends its commit, and one whose commit is sent with those of others.
func TestLeaverIsToldInTime(t *testing.T) {
	t.Parallel()
	for _, leads := range []bool{true, false} {
		t.Run(fmt.Sprintf("leads %v", leads), func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s := openPatient(t, schema)
			turn := "select " + schema + ".turn()"
			waiting := func(n int64) {
				require.Eventually(t, func() bool { return waitingFor(t, schema) == n }, time.Minute, time.Millisecond)
			}
			letGo := hold(t, shared.URL(), turn)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			leave := func() { ended <- blind(ctx, s, "k", "1")() }
			if leads {
				go leave()
			} else { // who comes first leads, and somebody takes the turn between that one and the next
				go func() { _ = s.Update(t.Context(), increment("n")) }()
				waiting(1)
				held := make(chan func(), 1)
				go func() { held <- hold(t, shared.URL(), turn) }()
				waiting(2)
				go leave()
				require.Eventually(t, func() bool { return s.Waiting() == 1 }, time.Minute, time.Millisecond)
				letGo()
				letGo = <-held
			}
			waiting(1)
			cancel()
			letGo()
			require.NoError(t, <-ended)
			require.Equal(t, "1", textIn(t, s, "k"))
		})
	}
}
