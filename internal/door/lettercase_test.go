package door_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Formulas sign capitals, and orders are told apart by their bytes. Where a request pays an order at once, the hash of
// one pays none whose number has other letters; a page of such an order is another one (reliability.md, row 32).
func TestHashPaysOneLetterCaseOfAnOrder(t *testing.T) {
	t.Parallel()
	for _, d := range kerneltest.SignedDoors() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			s := withChain(t)
			first, other := d.Of("ord-1", "10.00"), d.Of("ORD-1", "10.00")
			require.Equal(t, d.Sign(first), d.Sign(other), "it is the hash of both")
			s.Takes(t, &d, first)
			for _, when := range []string{"at once", "later"} {
				switch {
				case d.Path == "/post-va":
					s.Refuses(t, &d, other, kerneltest.HashUsedMessage, when)
				case d.Name == "card credit", d.Name == "recurring":
					s.Refuses(t, &d, other, kerneltest.DuplicateMessage, when)
				default:
					s.Takes(t, &d, other, when)
				}
				s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			}
		})
	}
}

// Most formulas sign the password in capitals. So the same letters in another case are the same password: they do not
// bring a former one back, are no next one, and keep the marks of what was signed.
func TestPasswordsInOtherLetters(t *testing.T) {
	t.Parallel()
	const first, second = "password-of-the-shop-0001", "password-of-the-shop-0002"
	s := kerneltest.OpenDoors(t)
	saved := func(change func(*store.Merchant)) error {
		m := store.Merchant{ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey}
		change(&m)
		return s.SaveMerchant(t.Context(), m)
	}
	with := func(password string) func(*store.Merchant) {
		return func(m *store.Merchant) { m.Password = store.NewSecret(password) }
	}
	capitals := with(strings.ToUpper(gatewaytest.Password))

	d := kerneltest.DoorNamed(t, "card credit")
	paid := d.Of("ORD-1", "10.00")
	paid.Hash = d.Sign(paid)
	s.Takes(t, d, paid)
	require.NoError(t, saved(capitals), "it is the password that it has")
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	s.Refuses(t, d, paid, kerneltest.DuplicateMessage, "it is paid")

	require.NoError(t, saved(with(first)))
	require.NoError(t, saved(with(second)))
	for _, former := range []string{first, strings.ToUpper(first), strings.ToUpper(gatewaytest.Password)} {
		require.ErrorContains(t, saved(with(former)), "password: this merchant had it before", former)
	}
	require.ErrorContains(t, saved(func(m *store.Merchant) {
		m.Password, m.NextPassword = store.NewSecret(second), store.NewSecret(strings.ToUpper(second))
		m.RotatesAt = s.Clock.Now().Add(kerneltest.Day)
	}), "next_password: must not be the password")
}
