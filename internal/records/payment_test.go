package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// TestMayBeOf: a payment is never taken for another merchant's, and most payments of others are known by their first
// field, whatever is in the names.
func TestMayBeOf(t *testing.T) {
	t.Parallel()
	names := []string{"m", "m1", "M", "ümlaut", `quo"ted`, `back\slash`, "line\n", "\u2028", "\xff", `"`, `m","k":"x`}
	told := 0
	for _, name := range names {
		s := memory.New()
		p := records.Payment{Payment: store.Payment{ID: "p", MerchantID: name, Order: store.Order{Number: "ORD-1",
			Currency: "USD"}}}
		p.SetTransaction(&records.Transaction{Transaction: store.Transaction{ID: "t"}})
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return records.Payments.Insert(tx, p, p.ID) }))
		require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
			for entry := range r.Scan(store.Range{Limit: 1}) {
				require.True(t, records.MayBeOf(entry, name), "%q", name)
				for _, other := range names {
					if other != name && !records.MayBeOf(entry, other) {
						told++
					}
				}
			}
			return nil
		}))
	}
	require.Equal(t, 4*(len(names)-1), told, "all but the names with an escape")
	for _, damaged := range []string{"", "{", `{"v":1}`, `{"v":1,"m":"m`, `{"v":1,"s":"m"}`, `,"m":"m`} {
		entry := store.Entry{Value: []byte(damaged)}
		require.True(t, records.MayBeOf(entry, "other"), "it is read, to see what it is: %s", damaged)
	}
}
