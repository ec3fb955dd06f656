package gateway_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/storetest"
)

// clockedStore is a store with a clock.
type clockedStore struct {
	store.Store
	at time.Time
}

func (s clockedStore) Now() time.Time { return s.at }

// A gateway without a clock of its host's dates its records and its ids by that of the store.
func TestClockOfTheStore(t *testing.T) {
	t.Parallel()
	ofStore, ofHost := kerneltest.Date("2031-02-03"), kerneltest.Date("2032-03-04")
	for _, c := range []struct {
		name string
		wrap func(store.Store) store.Store
		now  func() time.Time
		want time.Time // zero: that of the machine
	}{
		{"of a store without one", func(s store.Store) store.Store { return s }, nil, time.Time{}},
		{"of a store with one", func(s store.Store) store.Store { return clockedStore{s, ofStore} }, nil, ofStore},
		{"in a wrapper", func(s store.Store) store.Store { return storetest.Rerun(clockedStore{s, ofStore}) }, nil, ofStore},
		{"the host's comes first", func(s store.Store) store.Store { return clockedStore{s, ofStore} },
			func() time.Time { return ofHost }, ofHost},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			kit := gatewaytest.On(t, c.wrap(memory.New()), func(cfg *gateway.Config) { cfg.Now, cfg.NewID = c.now, nil })
			p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
			id, err := uuid.Parse(p.ID)
			require.NoError(t, err)
			dated := time.Unix(id.Time().UnixTime())
			if c.want.IsZero() {
				require.WithinRange(t, p.CreatedAt, begun.Add(-time.Second), time.Now())
				require.WithinRange(t, dated, begun.Add(-time.Second), time.Now())
				return
			}
			require.Equal(t, c.want, p.CreatedAt)
			require.WithinDuration(t, c.want, dated, time.Second)
		})
	}
}
