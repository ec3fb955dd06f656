package door_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// marksOf counts a merchant's marks of used hashes.
func marksOf(t testing.TB, kit *gatewaytest.Kit, merchantID string) (n int) {
	t.Helper()
	for _, key := range kerneltest.KeysUnder(t, kit.Store, "hs") {
		parts, err := store.SplitKey([]byte(key))
		require.NoError(t, err)
		if parts[1] == merchantID {
			n++
		}
	}
	return n
}

// Marks stay as long as the password that made the hashes. Those of a replaced password are deleted after
// Retention.Hashes, counted from the replacement; those of other merchants stay.
func TestHashMarksAge(t *testing.T) {
	t.Parallel()
	const hashes = 40 * kerneltest.Day
	passwords := []string{"password-of-the-shop-0002", "password-of-the-shop-0003", "password-of-the-shop-0004"}
	s := kerneltest.OpenDoors(t, func(c *gateway.Config) { c.Retention.Hashes = hashes }, withIDs("A~b.C_d-%d"))
	kerneltest.SaveOtherMerchant(t, s.Kit)
	hashOfOther := s.As(kerneltest.OtherKey).Session(t, "ORD-9", "10.00")
	hashOfLink(t, s.Pay(t, hashOfOther, gatewaytest.Settles))
	d := kerneltest.DoorNamed(t, "session purchase")
	s.Takes(t, d, d.Of("ORD-1", "10.00"))
	require.Equal(t, []int{1, 1}, []int{marksOf(t, s.Kit, gatewaytest.MerchantID), marksOf(t, s.Kit, kerneltest.OtherID)})

	kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(2, 0, 0))
	require.Equal(t, 1, marksOf(t, s.Kit, gatewaytest.MerchantID), "the password holds")
	s.SetMerchant(t, func(m *store.Merchant) { m.Name = "Another Name" })
	kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(2, 0, 0))
	require.Equal(t, 1, marksOf(t, s.Kit, gatewaytest.MerchantID), "also when something else changes")
	moved := d.Of("ORD-", "110.00")
	s.Refuses(t, d, moved, kerneltest.HashUsedMessage, "4 years later")

	for n, password := range passwords {
		s.SetMerchant(t, func(m *store.Merchant) { m.Password = store.NewSecret(password) })
		changed := s.Clock.Now()
		kerneltest.LapAt(t, s.Kit, changed.Add(hashes-time.Second))
		require.Equal(t, 1, marksOf(t, s.Kit, gatewaytest.MerchantID), n)
		link := s.SessionOf(t, gatewaytest.Request("ORD-1", "10.00"))
		hashOfLink(t, s.Pay(t, link, gatewaytest.Settles))
		require.Equal(t, 2, marksOf(t, s.Kit, gatewaytest.MerchantID), "one of the password before, one of the new")
		kerneltest.LapAt(t, s.Kit, changed.Add(hashes))
		require.Equal(t, 1, marksOf(t, s.Kit, gatewaytest.MerchantID), n)
		kerneltest.LapAt(t, s.Kit, changed.AddDate(1, 0, 0))
		require.Equal(t, 1, marksOf(t, s.Kit, gatewaytest.MerchantID), n)
	}
	require.Equal(t, 1, marksOf(t, s.Kit, kerneltest.OtherID))
}

// A lap skips all marks of a current password at once, however many there are, and reads what comes after them.
func TestLapPassesMarksThatStay(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, withIDs("A~b.C_d-%d"))
	hashOfLink(t, kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles))
	parts, err := store.SplitKey([]byte(kerneltest.KeysUnder(t, kit.Store, "hs")[0]))
	require.NoError(t, err)
	value := kerneltest.RawOf(t, kit, kerneltest.KeysUnder(t, kit.Store, "hs")[0])
	for n := range 5000 {
		kerneltest.PutRaw(t, kit.Store, string(value), "hs", gatewaytest.MerchantID, parts[2], fmt.Sprint(n))
	}
	kerneltest.PutRaw(t, kit.Store, string(value), "hs", gatewaytest.MerchantID, "ffffffff", "of another password")
	kit.Work(t)
	kit.Clock.Set(kit.Clock.Now().AddDate(1, 0, 0))
	kerneltest.LapDue(t, kit)
	done, _, err := kit.Tick(t.Context(), 1)
	require.NoError(t, err)
	require.Positive(t, done)
	require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "s"), "the first step reached the session")
	require.Len(t, kerneltest.KeysUnder(t, kit.Store, "hs"), 5001,
		"the marks of the password stay, and the other's are deleted")
}
