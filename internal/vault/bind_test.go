package vault_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

func TestAssociatedDataIsStable(t *testing.T) {
	t.Parallel()
	// If these bytes change, no stored card can be opened.
	require.Equal(t, "00000011746f6c6c676174652f7365616c65642f310000000463617264000000026d31000000027431",
		hex.EncodeToString(vault.AssociatedData(vault.Card, "m1", "t1")))
}

func TestAssociatedDataIsUnambiguous(t *testing.T) {
	t.Parallel()
	seen := map[string][3]string{}
	parts := []string{"", "a", "b", "ab", "a\x00", "\x00\x00\x00\x01a", "card"}
	for _, purpose := range parts {
		for _, merchant := range parts {
			for _, record := range parts {
				got := string(vault.AssociatedData(vault.Purpose(purpose), merchant, record))
				require.NotContains(t, seen, got)
				seen[got] = [3]string{purpose, merchant, record}
			}
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	const pan = "4111111111111111"
	own := vault.Lookup(key(t, 0), vault.PAN, pan)
	// Computed with another implementation of HMAC.
	require.Equal(t, "871b429f140545dfe85690530f3760b3f08731abaedebe8d71e42a914d75ea1a", own)
	require.Equal(t, own, vault.Lookup(key(t, 0), vault.PAN, pan))
	require.NotEqual(t, own, vault.Lookup(key(t, 1), vault.PAN, pan))
	require.NotEqual(t, own, vault.Lookup(key(t, 0), vault.Token, pan))
	require.NotEqual(t, own, vault.Lookup(key(t, 0), vault.PAN, "m1", pan))
	require.NotEqual(t, vault.Lookup(key(t, 0), vault.PAN, "m1", pan), vault.Lookup(key(t, 0), vault.PAN, "m", "1"+pan))
	require.Empty(t, vault.Lookup(vault.Key{}, vault.PAN, pan))
}

func TestDataKeyIsShared(t *testing.T) {
	t.Parallel()
	shared := vault.DataKey{KeyID: "k1", Wrapped: []byte("wrapped"), Key: key(t, 0)}
	random := nonces()
	first := vault.AssociatedData(vault.Card, "m", "1")
	second := vault.AssociatedData(vault.Card, "m", "2")
	one, err := shared.Seal(random, []byte("same"), first)
	require.NoError(t, err)
	two, err := shared.Seal(random, []byte("same"), second)
	require.NoError(t, err)
	require.Equal(t, one.DataKey, two.DataKey)
	require.NotEqual(t, one.Box, two.Box)

	raw, err := json.Marshal(one)
	require.NoError(t, err)
	var back store.Sealed
	require.NoError(t, json.Unmarshal(raw, &back))
	plain, err := vault.Open(shared.Key, back.Box, first)
	require.NoError(t, err)
	require.Equal(t, "same", string(plain))
	_, err = vault.Open(shared.Key, two.Box, first)
	require.ErrorIs(t, err, vault.ErrBroken)

	one.DataKey[0] = 'X'
	require.Equal(t, "wrapped", string(shared.Wrapped), "a record must not share memory with the data key")
}

func TestDataKeyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		key  vault.DataKey
	}{
		{"no key id", vault.DataKey{Wrapped: []byte("w"), Key: key(t, 0)}},
		{"no wrapped form", vault.DataKey{KeyID: "k", Key: key(t, 0)}},
		{"no key", vault.DataKey{KeyID: "k", Wrapped: []byte("w")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sealed, err := c.key.Seal(nonces(), []byte("x"), nil)
			require.Error(t, err)
			require.Zero(t, sealed)
		})
	}
}

func TestSpent(t *testing.T) {
	t.Parallel()
	require.False(t, vault.Spent(vault.MaxSeals-1, time.Hour-1))
	require.True(t, vault.Spent(vault.MaxSeals, 0))
	require.True(t, vault.Spent(0, time.Hour))
}

func TestDeriveIsStable(t *testing.T) {
	t.Parallel()
	// RFC 5869, test case 2; the first 32 bytes do not depend on the requested length.
	derived, err := vault.Derive(count(0, 80), string(count(0xb0, 80)), count(0x60, 80))
	require.NoError(t, err)
	require.Equal(t, "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c",
		hex.EncodeToString(derived.Bytes()))

	for _, c := range []struct {
		name   string
		secret []byte
		info   string
		salt   []byte
	}{
		{"short secret", count(0, 31), "x", []byte("id")},
		{"no info", count(0, 32), "", []byte("id")},
		{"no salt", count(0, 32), "x", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := vault.Derive(c.secret, c.info, c.salt)
			require.ErrorIs(t, err, vault.ErrSecretSize)
		})
	}
}

func TestHeld(t *testing.T) {
	t.Parallel()
	secret := count(0, 32)
	box, err := vault.SealHeld(secret, vault.SecurityCode, "session-1", nonces(), []byte("123"))
	require.NoError(t, err)

	// The key was computed with another implementation of HKDF.
	apart, err := vault.NewKey(unhex(t, "59aa803b3c8d943bafd3f8f1af224bf277259ca3d93f8966eb3d0c96cf95a213"))
	require.NoError(t, err)
	same, err := vault.Seal(apart, nonces(), []byte("123"), []byte("session-1"))
	require.NoError(t, err)
	require.Equal(t, same, box)

	for _, c := range []struct {
		name    string
		secret  []byte
		purpose vault.Purpose
		id      string
		want    error
	}{
		{"the same", secret, vault.SecurityCode, "session-1", nil},
		{"another secret", count(1, 32), vault.SecurityCode, "session-1", vault.ErrBroken},
		{"another purpose", secret, vault.ReturnData, "session-1", vault.ErrBroken},
		{"another session", secret, vault.SecurityCode, "session-2", vault.ErrBroken},
		{"half a secret", secret[:16], vault.SecurityCode, "session-1", vault.ErrSecretSize},
		{"no purpose", secret, "", "session-1", vault.ErrSecretSize},
		{"no id", secret, vault.SecurityCode, "", vault.ErrSecretSize},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plain, err := vault.OpenHeld(c.secret, c.purpose, c.id, box)
			require.ErrorIs(t, err, c.want)
			if c.want == nil {
				require.Equal(t, "123", string(plain))
			}
		})
	}
	require.Equal(t, count(0, 32), secret, "the caller's secret stays as it is")
	require.False(t, bytes.Contains(box, []byte("123")))
}
