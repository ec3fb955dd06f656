package ids_test

import (
	"crypto/rand"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/ids"
)

func TestOrdered(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 3, 4, 5, 6, 7, 89_123_456, time.UTC)
	for _, c := range []struct {
		name string
		step time.Duration
	}{
		{"a clock that runs", 300 * time.Microsecond}, {"one that stands still", 0}, {"one that goes back", -time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			now := at
			source := ids.Ordered{Now: func() time.Time { now = now.Add(c.step); return now }, Random: rand.Reader}
			last := ""
			for range 10_000 {
				id := source.Next()
				require.Greater(t, id, last)
				parsed, err := uuid.Parse(id)
				require.NoError(t, err)
				require.Equal(t, uuid.Version(7), parsed.Version())
				require.Equal(t, uuid.RFC4122, parsed.Variant())
				last = id
			}
		})
	}
}

// An id tells the time of the clock, to the millisecond, as other makers of version 7 write it.
func TestOrderedTellsTheTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 3, 4, 5, 6, 7, 89_999_999, time.UTC)
	source := ids.Ordered{Now: func() time.Time { return at }, Random: rand.Reader}
	parsed, err := uuid.Parse(source.Next())
	require.NoError(t, err)
	seconds, nanoseconds := parsed.Time().UnixTime()
	require.Equal(t, at.Truncate(time.Millisecond), time.Unix(seconds, nanoseconds).UTC())
}

func TestOrderedOfManyCallers(t *testing.T) {
	t.Parallel()
	at := time.Now()
	source := ids.Ordered{Now: func() time.Time { return at }, Random: rand.Reader}
	var seen sync.Map
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			for range 1000 {
				if _, twice := seen.LoadOrStore(source.Next()[:18], true); twice {
					t.Error("two ids of one moment")
				}
			}
		})
	}
	running.Wait()
}

func TestOrderedWithoutRandomBytes(t *testing.T) {
	t.Parallel()
	source := ids.Ordered{Now: time.Now, Random: iotest.ErrReader(iotest.ErrTimeout)}
	require.Empty(t, source.Next())
}
