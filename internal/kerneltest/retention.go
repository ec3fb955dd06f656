package kerneltest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// Day is 24 hours.
const Day = 24 * time.Hour

// KeepsPayments sets how long payments are kept.
func KeepsPayments(payments time.Duration) gatewaytest.Option {
	return func(c *gateway.Config) { c.Retention.Payments = payments }
}

// LapAt does a lap at a given time.
func LapAt(t testing.TB, kit *gatewaytest.Kit, at time.Time) {
	t.Helper()
	kit.Clock.Set(at)
	kit.Work(t) // the other due work
	LapDue(t, kit)
	kit.Work(t)
}

// LapDue makes the sweeper's next lap due now.
func LapDue(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	require.NoError(t, kit.Store.Update(context.Background(), func(tx store.Tx) error {
		return Sweeper.Put(tx, SweeperAt{Due: kit.Clock.Now()})
	}))
}

// SweeperAt is the sweeper's record, read and written directly.
type SweeperAt struct {
	Prefix string    `json:"prefix,omitempty"`
	Due    time.Time `json:"due"`
	Step   int       `json:"step"`
}

// Sweeper is the table of the sweeper's position.
var Sweeper = store.Table[SweeperAt]{Prefix: "pg", Version: 1}

// FillAged fills a store with n entries that are past their time and n that are not, of two rows.
func FillAged(t testing.TB, kit *gatewaytest.Kit, n int) (stay []string) {
	t.Helper()
	old, young := kit.Clock.Now().Add(-2*Day), kit.Clock.Now()
	require.NoError(t, kit.Store.Update(context.Background(), func(tx store.Tx) error {
		stay = nil
		for i := range n {
			for _, prefix := range []string{"w", "wr"} {
				stays := store.Key(prefix, "stays", fmt.Sprintf("%05d", i))
				stay = append(stay, string(stays))
				if err := tx.Put(stays, []byte(young.Format(time.RFC3339Nano))); err != nil {
					return err
				}
				if err := tx.Put(store.Key(prefix, "goes", fmt.Sprintf("%05d", i)),
					[]byte(old.Format(time.RFC3339Nano))); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	slices.Sort(stay)
	return stay
}

// AgedKeys lists the keys of FillAged that are left.
func AgedKeys(t testing.TB, s store.Store) (keys []string) {
	keys = append(KeysUnder(t, s, "w"), KeysUnder(t, s, "wr")...)
	slices.Sort(keys)
	return keys
}
