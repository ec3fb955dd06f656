package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// Due work is compared by its time and not by the text of the time: half a second after noon is later than noon,
// though its text sorts first, and a time is the same in every zone.
func TestDueByTime(t *testing.T) {
	t.Parallel()
	noon := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)
	west, east := time.FixedZone("west", -8*3600), time.FixedZone("east", 9*3600)
	for _, c := range []struct {
		name     string
		due, now time.Time
		want     bool
	}{
		{"half a second ahead", noon.Add(time.Second / 2), noon, false},
		{"a microsecond ahead", noon.Add(time.Microsecond), noon, false},
		{"at the moment", noon, noon, true},
		{"half a second ago", noon.Add(-time.Second / 2), noon, true},
		{"a second ahead, asked in the east", noon.Add(time.Second), noon.In(east), false},
		{"a second ago, asked in the west", noon.Add(-time.Second), noon.In(west), true},
		{"a second ahead, put in the west", noon.Add(time.Second).In(west), noon, false},
		{"a second ago, put in the east", noon.Add(-time.Second).In(east), noon, true},
		{"a century ahead", noon.AddDate(100, 0, 0), noon, false},
		{"five thousand years ahead", noon.AddDate(5000, 0, 0), noon, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := store.Queue{Name: "q"}
			update(t, func(tx store.Tx) {
				require.NoError(t, q.Move(tx, "lane", "id", time.Time{}, c.due))
				ids, err := q.Due(tx, c.now, 1)
				require.NoError(t, err)
				require.Equal(t, c.want, len(ids) == 1)
			})
		})
	}
}

// A record has microseconds, and what a host asked for does not happen earlier.
func TestMoment(t *testing.T) {
	t.Parallel()
	noon := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name     string
		at, want time.Duration
	}{
		{"a whole microsecond", time.Microsecond, time.Microsecond},
		{"a nanosecond more", time.Microsecond + 1, 2 * time.Microsecond},
		{"a nanosecond less", time.Microsecond - 1, time.Microsecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, noon.Add(c.want), store.Moment(noon.Add(c.at)))
		})
	}
	require.True(t, store.Moment(time.Time{}).IsZero())
}

// An entry is found again by the due time that its record has.
func TestEntryOfAFinerTime(t *testing.T) {
	t.Parallel()
	fine := time.Date(2027, 3, 10, 12, 0, 0, 1999, time.UTC)
	q := store.Queue{Name: "q"}
	update(t, func(tx store.Tx) {
		require.NoError(t, q.Move(tx, "lane", "id", time.Time{}, fine))
		require.NoError(t, q.Move(tx, "lane", "id", fine.Truncate(time.Microsecond), time.Time{}))
		next, err := q.Next(tx)
		require.NoError(t, err)
		require.True(t, next.IsZero())
	})
}
