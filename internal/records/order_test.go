package records_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// TestOrders adds payments to an order number and deletes them, oldest and newest first and in between. Whatever is
// left is listed, the newest first; when nothing is left no entry is.
func TestOrders(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		random, s := rand.New(rand.NewPCG(seed, 1)), memory.New()
		w := records.Owner{MerchantID: "m", Test: seed%2 == 0}
		other := records.Payment{Payment: store.Payment{ID: "other", MerchantID: "m", Test: !w.Test,
			Order: store.Order{Number: "ORD-1"}}}
		update(t, s, func(tx store.Tx) error { return records.AddToOrder(tx, &other) })
		var left []string // the newest first
		for n := range 30 {
			p := records.Payment{Payment: store.Payment{ID: fmt.Sprintf("p-%02d", n), MerchantID: "m", Test: w.Test,
				Order: other.Order}}
			if len(left) > 0 && random.IntN(2) == 0 {
				at := random.IntN(len(left))
				p.ID = left[at]
				left = slices.Delete(left, at, at+1)
				update(t, s, func(tx store.Tx) error { return records.DeleteFromOrder(tx, &p) })
			} else {
				left = slices.Insert(left, 0, p.ID)
				update(t, s, func(tx store.Tx) error { return records.AddToOrder(tx, &p) })
			}
			requireOrder(t, s, w, left)
		}
	}
}

func requireOrder(t *testing.T, s store.Store, w records.Owner, left []string) {
	t.Helper()
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		o, err := records.ReadOrder(r, w, "ORD-1")
		require.NoError(t, err)
		require.Equal(t, len(left) > 0, o.Used())
		all, err := records.PaymentsOfOrder(r, w, "ORD-1", "", 100)
		require.NoError(t, err)
		require.Equal(t, left, append([]string{}, all...))
		if len(left) == 0 {
			_, err = records.NewestOfOrder(r, w, "ORD-1", 1)
			require.ErrorIs(t, err, refusal.ErrNoOrder)
			for entry := range r.Scan(store.Range{Prefix: records.KeyOfOrder(w, "ORD-1"), Limit: 1}) {
				t.Errorf("%q is left", entry.Key)
			}
			return nil
		}
		newest, err := records.NewestOfOrder(r, w, "ORD-1", 1)
		require.NoError(t, err)
		require.Equal(t, left[:1], newest)
		for i, id := range left {
			older, err := records.PaymentsOfOrder(r, w, "ORD-1", id, 2)
			require.NoError(t, err)
			require.Equal(t, left[i:min(i+2, len(left))], older)
		}
		return nil
	}))
}

// TestOrderKeepsItsTime: the time of the last accepted request stays when the first payment is stored.
func TestOrderKeepsItsTime(t *testing.T) {
	t.Parallel()
	s, w := memory.New(), records.Owner{MerchantID: "m"}
	p := records.Payment{Payment: store.Payment{ID: "p", MerchantID: "m", Order: store.Order{Number: "ORD-1"}}}
	at := time.Date(2027, 3, 10, 12, 0, 0, 1000, time.UTC)
	update(t, s, func(tx store.Tx) error {
		o := records.Order{Accepted: at}
		require.NoError(t, o.Put(tx, w, "ORD-1"))
		return records.AddToOrder(tx, &p)
	})
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		o, err := records.ReadOrder(r, w, "ORD-1")
		require.NoError(t, err)
		require.True(t, o.Used())
		require.Equal(t, at, o.Accepted)
		return nil
	}))
}

// TestDamagedOrder: an entry that cannot be read is an error and never an unused order number.
func TestDamagedOrder(t *testing.T) {
	t.Parallel()
	for _, value := range [][]byte{{}, []byte("x"), []byte("seven b")} {
		s, w := memory.New(), records.Owner{MerchantID: "m"}
		update(t, s, func(tx store.Tx) error { return tx.Put(records.KeyOfOrder(w, "ORD-1"), value) })
		require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
			_, err := records.ReadOrder(r, w, "ORD-1")
			require.True(t, store.IsUnreadable(err), "%q: %v", value, err)
			_, err = records.NewestOfOrder(r, w, "ORD-1", 1)
			require.True(t, store.IsUnreadable(err), "%q: %v", value, err)
			return nil
		}))
	}
}

func update(t *testing.T, s store.Store, fn func(store.Tx) error) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), fn))
}
