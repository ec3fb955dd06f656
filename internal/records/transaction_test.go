package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// stored is a store with a payment of two transactions and one that cannot be read.
func stored(t *testing.T) *memory.Store {
	t.Helper()
	s := memory.New()
	p := records.Payment{Payment: store.Payment{ID: "paid", MerchantID: "m", Order: store.Order{Number: "ORD-1",
		Currency: "USD"}}}
	p.SetTransaction(&records.Transaction{Transaction: store.Transaction{ID: "charge"}})
	p.SetTransaction(&records.Transaction{Transaction: store.Transaction{ID: "refund"}})
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
		if err := tx.Put(store.Key("p", "damaged"), []byte(`{"v":1,"m":"m","t":[null]}`)); err != nil {
			return err
		}
		return records.Payments.Insert(tx, p, p.ID)
	}))
	return s
}

// An entry of the recovery queue leads to one transaction and never to another; one that leads nowhere is an error.
func TestOfEntry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entry, id string
		lost      bool // the payment cannot be read
	}{
		{entry: "paid/1", id: "charge"},
		{entry: "paid/2", id: "refund"},
		{entry: "paid/0"}, {entry: "paid/3"}, {entry: "paid/-1"}, {entry: "paid/99999999999999999999"},
		{entry: "paid/"}, {entry: "paid"}, {entry: "paid/refund"}, {entry: "paid/1/2"}, {entry: "paid/1 "},
		{entry: "other/1"}, {entry: "/1"}, {entry: ""}, {entry: "/"}, {entry: "charge"},
		{entry: "damaged/1", lost: true},
	} {
		t.Run(c.entry, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, stored(t).View(t.Context(), func(r store.Reader) error {
				p, one, err := records.OfEntry(r, c.entry)
				switch {
				case c.lost:
					require.True(t, store.IsUnreadable(err), err)
				case c.id == "":
					require.ErrorIs(t, err, store.ErrNotFound)
				default:
					require.NoError(t, err)
					require.Equal(t, c.id, one.ID)
					require.Equal(t, c.entry, records.EntryOf(&one))
					require.Equal(t, "paid", p.ID)
				}
				return nil
			}))
		})
	}
}

// A transaction is found by its id in its payment only.
func TestFindTransaction(t *testing.T) {
	t.Parallel()
	require.NoError(t, stored(t).View(t.Context(), func(r store.Reader) error {
		_, one, err := records.FindTransaction(r, "paid", "refund")
		require.NoError(t, err)
		require.Equal(t, "refund", one.ID)
		for _, ids := range [][2]string{{"paid", ""}, {"paid", "paid"}, {"charge", "charge"}, {"", "charge"}, {"paid", "2"}} {
			_, _, err = records.FindTransaction(r, ids[0], ids[1])
			require.ErrorIs(t, err, store.ErrNotFound, ids)
		}
		_, _, err = records.FindTransaction(r, "damaged", "")
		require.True(t, store.IsUnreadable(err))
		return nil
	}))
}

// PutTransaction changes one transaction of a payment and nothing of the payment that others hold.
func TestPutTransaction(t *testing.T) {
	t.Parallel()
	s := stored(t)
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
		p, one, err := records.FindTransaction(tx, "paid", "charge")
		require.NoError(t, err)
		held := p
		one.Reason = "changed"
		require.NoError(t, records.PutTransaction(tx, &p, &one))
		require.Equal(t, []int{held.Version + 1, 1}, []int{p.Version, one.Version})
		require.Empty(t, held.Transaction("charge").Reason)

		read, other, err := records.FindTransaction(tx, "paid", "refund")
		require.NoError(t, err)
		require.Equal(t, p.Version, read.Version)
		require.Equal(t, "changed", read.Transaction("charge").Reason)
		require.Equal(t, []int{1, 0}, []int{read.Transaction("charge").Version, other.Version})
		return nil
	}))
}

// A payment is closed once no transaction of it is under way, in doubt or to be reviewed.
func TestIsClosed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*records.Payment, *records.Transaction)
		closed bool
	}{
		{"approved", func(*records.Payment, *records.Transaction) {}, true},
		{"declined", func(_ *records.Payment, tr *records.Transaction) { tr.Outcome = store.Fail }, true},
		{"sent", func(_ *records.Payment, tr *records.Transaction) { tr.Outcome = store.Sent }, false},
		{"waiting", func(_ *records.Payment, tr *records.Transaction) { tr.Outcome = store.Waiting }, false},
		{"in doubt", func(_ *records.Payment, tr *records.Transaction) { tr.Outcome = store.InDoubt }, false},
		{"to be reviewed", func(_ *records.Payment, tr *records.Transaction) { tr.Review = "why" }, false},
		{"reviewed", func(_ *records.Payment, tr *records.Transaction) {
			tr.Review, tr.ReviewedBy = "why", &store.Decision{By: "ann"}
		}, true},
		{"one runs", func(p *records.Payment, _ *records.Transaction) { p.Running = "charge" }, false},
		{"a refund is reserved", func(p *records.Payment, _ *records.Transaction) { p.Reserved = store.MustAmount("1.00") },
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, refund := records.Payment{}, records.Transaction{Transaction: store.Transaction{ID: "refund",
				Outcome: store.Success}}
			c.change(&p, &refund)
			p.SetTransaction(&records.Transaction{Transaction: store.Transaction{ID: "charge", Outcome: store.Success}})
			p.SetTransaction(&refund)
			require.Equal(t, c.closed, records.IsClosed(&p))
		})
	}
}
