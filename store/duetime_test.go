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
		{"a nanosecond ahead", noon.Add(1), noon, false},
		{"at the moment", noon, noon, true},
		{"half a second ago", noon.Add(-time.Second / 2), noon, true},
		{"a second ahead, asked in the east", noon.Add(time.Second), noon.In(east), false},
		{"a second ago, asked in the west", noon.Add(-time.Second), noon.In(west), true},
		{"a second ahead, put in the west", noon.Add(time.Second).In(west), noon, false},
		{"a second ago, put in the east", noon.Add(-time.Second).In(east), noon, true},
		{"a century ahead", noon.AddDate(100, 0, 0), noon, false},
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
