package delivery_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/delivery"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// workers run, or not, and count how often they are told of something.
type workers struct {
	run  bool
	told int
}

func (w *workers) Running() bool     { return w.run }
func (w *workers) Queued(store.Work) { w.told++ }

// Callbacks that were queued here are claimed by their keys while workers run. Those that others have taken keep none
// of the rest from being claimed at once.
func TestClaimQueued(t *testing.T) {
	t.Parallel()
	noon := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		run    bool
		before int // that are in the queue no more
		want   int
	}{
		{"alone", true, 0, 1},
		{"behind more than one claim of others", true, 40, 1},
		{"without workers", false, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, w := memory.New(), &workers{run: c.run}
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			courier := delivery.New(delivery.Ports{Store: s, Now: func() time.Time { return noon }, Workers: 64, Runner: w})
			list := []string{}
			for n := range c.before {
				list = append(list, fmt.Sprint("gone", n))
			}
			for _, id := range append(list, "p") {
				courier.Queued(&store.Payment{ID: id, MerchantID: "shop", NotificationURL: "https://shop.example/"}, 1)
			}
			require.Equal(t, c.run, w.told > c.before)
			require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
				return callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: "p", MerchantID: "shop",
					Number: 1, URL: "https://shop.example/", Body: "a=b", CreatedAt: noon}})
			}))
			items, err := courier.ClaimQueued(t.Context(), 64)
			require.NoError(t, err)
			require.Len(t, items, c.want)
			items, err = courier.ClaimQueued(t.Context(), 64)
			require.NoError(t, err)
			require.Empty(t, items)
		})
	}
}
