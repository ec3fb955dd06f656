package door_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// A damaged mark of a hash delays no outcome, and its hash is refused.
func TestDamagedMark(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t, withIDs("A~b.C_d-%d")) // no text shows them, so hashes are marked when they are sent
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	kerneltest.DamageTable(t, kit, "hs", nil, func(v []byte) []byte { return v[:len(v)/2] })
	_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(kit.Payment(t, "ORD-1"), "10.00"))
	require.NoError(t, err)
	require.Equal(t, store.Refunded, kit.Payment(t, "ORD-1").Status)
	kit.Advance(t, 2*time.Hour)
	require.Len(t, kit.Inbox.All(), 2)
	kerneltest.Quiet(t, kit)
}
