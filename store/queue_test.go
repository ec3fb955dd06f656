package store_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func TestQueue(t *testing.T) {
	t.Parallel()
	q, other := store.Queue{Name: "callbacks"}, store.Queue{Name: "callback"}
	start := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	due := func(tx store.Tx, now time.Time, limit int) []string {
		ids, err := q.Due(tx, now, limit)
		require.NoError(t, err)
		slices.Sort(ids)
		return ids
	}
	update(t, func(tx store.Tx) {
		next, err := q.Next(tx)
		require.NoError(t, err)
		require.Zero(t, next)
		for i := range 40 { // over all lanes
			id := fmt.Sprintf("%02d\x00", i)
			require.NoError(t, q.Move(tx, id, id, time.Time{}, start.Add(time.Duration(i)*time.Second)))
		}
		require.NoError(t, other.Move(tx, "x", "x", time.Time{}, start.Add(-time.Hour)))

		next, err = q.Next(tx)
		require.NoError(t, err)
		require.Equal(t, start, next)
		require.Empty(t, due(tx, start.Add(-time.Microsecond), 99))
		require.Equal(t, []string{"00\x00", "01\x00", "02\x00"}, due(tx, start.Add(2*time.Second), 99))
		require.Len(t, due(tx, start.Add(time.Hour), 99), 40)
		require.Len(t, due(tx, start.Add(time.Hour), 7), 7)

		require.NoError(t, q.Move(tx, "00\x00", "00\x00", start, start.Add(time.Hour)))
		require.NoError(t, q.Move(tx, "01\x00", "01\x00", start.Add(time.Second), time.Time{}))
		require.Equal(t, []string{"02\x00"}, due(tx, start.Add(2*time.Second), 99))
		require.Len(t, due(tx, start.Add(time.Hour), 99), 39)
	})
}

// One lane returns its items in the order in which they are due.
func TestQueueOrder(t *testing.T) {
	t.Parallel()
	q, start := store.Queue{Name: "q"}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	update(t, func(tx store.Tx) {
		for _, micros := range []int64{256, 1, 1 << 30, 255, 0} {
			at := start.Add(time.Duration(micros) * time.Microsecond)
			require.NoError(t, q.Move(tx, "lane", fmt.Sprint(micros), time.Time{}, at))
		}
		ids, err := q.Due(tx, start.Add(time.Hour), 99)
		require.NoError(t, err)
		require.Equal(t, []string{"0", "1", "255", "256", "1073741824"}, ids)
	})
}

// The entries that are due are those of each lane, one after the other, from the lane that the time names.
func TestQueueGoesThroughTheLanes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for round := range 300 {
		q := store.Queue{Name: "q"}
		update(t, func(tx store.Tx) {
			require.NoError(t, tx.Put(store.Key("p", "before"), []byte{}))
			require.NoError(t, tx.Put(store.Key("r", "after"), []byte{}))
			for i := range random.IntN(60) {
				lane, at := strconv.Itoa(random.IntN(1+round%40)), start.Add(time.Duration(random.IntN(100))*time.Millisecond)
				require.NoError(t, q.Move(tx, lane, strconv.Itoa(i), time.Time{}, at))
			}
			for range 20 {
				now, limit := start.Add(time.Duration(random.IntN(120)-10)*time.Millisecond), random.IntN(70)-1
				want := laneByLane(t, tx, now, limit)
				got, err := q.Due(tx, now, limit)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
		})
	}
}

// laneByLane returns the ids that are due in queue q, with one scan for each lane.
func laneByLane(t *testing.T, tx store.Tx, now time.Time, limit int) (ids []string) {
	t.Helper()
	for i := range int64(store.Lanes) {
		prefix := append(store.Key("q"), byte((now.UnixMilli()+i)%store.Lanes))
		for entry := range tx.Scan(store.Range{Prefix: prefix, Limit: 99}) {
			rest := entry.Key[len(prefix):]
			if int64(binary.BigEndian.Uint64(rest)) > now.UnixMicro() || len(ids) >= limit {
				break
			}
			parts, err := store.SplitKey(rest[8:])
			require.NoError(t, err)
			ids = append(ids, parts[0])
		}
	}
	return ids
}
