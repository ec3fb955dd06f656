package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/storetest"
)

// clocked is a store with a clock.
type clocked struct {
	store.Store
	at time.Time
}

func (c clocked) Now() time.Time { return c.at }

// opaque hides what is within.
type opaque struct{ store.Store }

func TestClockOf(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)
	within := clocked{memory.New(), at}
	for _, c := range []struct {
		name  string
		store store.Store
		has   bool
	}{
		{"a store without one", memory.New(), false},
		{"a store with one", within, true},
		{"in a wrapper", storetest.Rerun(within), true},
		{"in two wrappers", storetest.Rerun(storetest.Checked(t, within)), true},
		{"in a wrapper that hides it", opaque{within}, false},
		{"a wrapper of a store without one", storetest.Checked(t, memory.New()), false},
		{"no store", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			clock := store.ClockOf(c.store)
			if !c.has {
				require.Nil(t, clock)
				return
			}
			require.Equal(t, at, clock.Now())
		})
	}
}
