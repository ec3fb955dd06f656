package vault_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/vault"
)

// FuzzSwap copies the box of one record into another: it can be opened there exactly when purpose, merchant and
// record are the same, wherever the borders between the three are.
func FuzzSwap(f *testing.F) {
	f.Add("card", "m1", "p1", "card", "m1", "p1", []byte("4111111111111111"))
	f.Add("card", "m1", "p1", "card", "m1", "p2", []byte("4111111111111111"))
	f.Add("card", "m1", "p1", "card", "m2", "p1", []byte("4111111111111111"))
	f.Add("card", "m1", "p1", "security-code", "m1", "p1", []byte("123"))
	f.Add("card", "m", "1p1", "card", "m1", "p1", []byte{})
	f.Add("card", "", "m1p1", "card", "m1p1", "", []byte("x"))
	f.Add("card", "m1\x00\x00\x00\x02p1", "", "card", "m1", "p1", []byte("x"))
	f.Add("", "", "", "", "", "\x00", []byte("x"))
	f.Fuzz(func(t *testing.T, purpose1, merchant1, record1, purpose2, merchant2, record2 string, text []byte) {
		same := purpose1 == purpose2 && merchant1 == merchant2 && record1 == record2
		ours := vault.AssociatedData(vault.Purpose(purpose1), merchant1, record1)
		theirs := vault.AssociatedData(vault.Purpose(purpose2), merchant2, record2)
		require.Equal(t, same, bytes.Equal(ours, theirs))
		box, err := vault.Seal(key(t, 0), nonces(), text, ours)
		require.NoError(t, err)
		requireOpens(t, same, text, func() ([]byte, error) { return vault.Open(key(t, 0), box, theirs) })

		lookup1 := vault.Lookup(key(t, 0), vault.Kind(purpose1), merchant1, record1)
		lookup2 := vault.Lookup(key(t, 0), vault.Kind(purpose2), merchant2, record2)
		require.Equal(t, same, lookup1 == lookup2)
		if purpose1 == "" || purpose2 == "" || record1 == "" || record2 == "" {
			return // an empty name is refused
		}
		secret := append([]byte(merchant1), bytes.Repeat([]byte{7}, vault.KeySize)...)
		other := append([]byte(merchant2), bytes.Repeat([]byte{7}, vault.KeySize)...)
		held, err := vault.SealHeld(secret, vault.Purpose(purpose1), record1, nonces(), text)
		require.NoError(t, err)
		requireOpens(t, same, text, func() ([]byte, error) {
			return vault.OpenHeld(other, vault.Purpose(purpose2), record2, held)
		})
	})
}

func requireOpens(t *testing.T, opens bool, text []byte, open func() ([]byte, error)) {
	t.Helper()
	plain, err := open()
	if !opens {
		require.ErrorIs(t, err, vault.ErrBroken)
		require.Nil(t, plain)
		return
	}
	require.NoError(t, err)
	require.True(t, bytes.Equal(text, plain))
}

// FuzzAltered flips one bit of a box, or cuts it: it can never be opened.
func FuzzAltered(f *testing.F) {
	for _, bit := range []uint32{0, 95, 96, 100, 223, 224, 351} {
		f.Add([]byte("4111111111111111"), bit, uint16(0))
	}
	f.Add([]byte("4111111111111111"), uint32(0), uint16(1))
	f.Add([]byte{}, uint32(3), uint16(28))
	f.Fuzz(func(t *testing.T, text []byte, bit uint32, cut uint16) {
		ad := vault.AssociatedData(vault.Card, "m", "r")
		box, err := vault.Seal(key(t, 0), nonces(), text, ad)
		require.NoError(t, err)
		require.False(t, len(text) > 3 && bytes.Contains(box, text))
		if cut > 0 {
			box = box[:len(box)-min(len(box), int(cut))]
		} else {
			bit %= uint32(len(box)) * 8
			box[bit/8] ^= 1 << (bit % 8)
		}
		plain, err := vault.Open(key(t, 0), box, ad)
		require.ErrorIs(t, err, vault.ErrBroken)
		require.Nil(t, plain)
	})
}
