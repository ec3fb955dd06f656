package charge

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// Rows that apply are taken in their order, and none after the first refusal.
func TestTakingStopsAtTheFirstRefusal(t *testing.T) {
	t.Parallel()
	first, second := errors.New("first"), errors.New("second")
	for _, c := range []struct {
		name    string
		applies []bool // of three rows
		refuse  []error
		taken   []int
		want    error
	}{
		{"all", []bool{true, true, true}, []error{nil, nil, nil}, []int{0, 1, 2}, nil},
		{"some", []bool{true, false, true}, []error{nil, first, nil}, []int{0, 2}, nil},
		{"none", []bool{false, false, false}, []error{first, first, first}, nil, nil},
		{"the second refuses", []bool{true, true, true}, []error{nil, first, second}, []int{0, 1}, first},
		{"the last refuses", []bool{true, true, true}, []error{nil, nil, second}, []int{0, 1, 2}, second},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var taken []int
			rows := make([]claimRow, len(c.applies))
			for i := range rows {
				rows[i] = claimRow{func(*Draft) bool { return c.applies[i] }, func(store.Tx, *Draft, func() time.Time) error {
					taken = append(taken, i)
					return c.refuse[i]
				}}
			}
			take := taking(rows, &Draft{}, time.Now)
			for range 2 { // a transaction may run again
				taken = nil
				require.Equal(t, c.want, take(nil))
				require.Equal(t, c.taken, taken)
			}
		})
	}
}
