package vault_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/vault"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	require.NoError(t, err)
	return raw
}

// key returns a key whose bytes count up from first.
func key(t testing.TB, first byte) vault.Key {
	t.Helper()
	made, err := vault.NewKey(count(first, vault.KeySize))
	require.NoError(t, err)
	return made
}

func count(first byte, size int) []byte {
	out := make([]byte, size)
	for i := range out {
		out[i] = first + byte(i)
	}
	return out
}

// nonces returns predictable "random" bytes, enough for a test.
func nonces() *bytes.Reader { return bytes.NewReader(count(7, 1<<10)) }

func TestSealKnownAnswer(t *testing.T) {
	t.Parallel()
	// Test case 16 of "The Galois/Counter Mode of Operation" (McGrew and Viega).
	secret := unhex(t, "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
	nonce := unhex(t, "cafebabefacedbaddecaf888")
	ad := unhex(t, "feedfacedeadbeeffeedfacedeadbeefabaddad2")
	plain := unhex(t, "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"+
		"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
	want := "cafebabefacedbaddecaf888" +
		"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa" +
		"8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662" +
		"76fc6ece0f4e1768cddf8853bb2d551b"

	made, err := vault.NewKey(secret)
	require.NoError(t, err)
	box, err := vault.Seal(made, bytes.NewReader(nonce), plain, ad)
	require.NoError(t, err)
	require.Equal(t, want, hex.EncodeToString(box))

	opened, err := vault.Open(made, box, ad)
	require.NoError(t, err)
	require.Equal(t, plain, opened)
}

func TestSealAgreesWithStandardLibrary(t *testing.T) {
	t.Parallel()
	secret := count(3, vault.KeySize)
	block, err := aes.NewCipher(secret)
	require.NoError(t, err)
	aead, err := cipher.NewGCM(block)
	require.NoError(t, err)
	ad := vault.AssociatedData(vault.Card, "merchant", "record")

	for _, size := range []int{0, 1, 15, 16, 17, 4096, vault.MaxPlain} {
		plain := bytes.Repeat([]byte{0x5a}, size)
		box, err := vault.Seal(key(t, 3), nonces(), plain, ad)
		require.NoError(t, err)
		require.Len(t, box, size+vault.Overhead)
		require.Equal(t, aead.Seal(box[:12:12], box[:12], plain, ad), box)
	}
}

func TestEveryFlippedBitIsRefused(t *testing.T) {
	t.Parallel()
	ad := vault.AssociatedData(vault.Card, "m", "r")
	box, err := vault.Seal(key(t, 0), nonces(), []byte("4111111111111111"), ad)
	require.NoError(t, err)
	for bit := range len(box) * 8 {
		bent := bytes.Clone(box)
		bent[bit/8] ^= 1 << (bit % 8)
		plain, err := vault.Open(key(t, 0), bent, ad)
		require.ErrorIs(t, err, vault.ErrBroken)
		require.Nil(t, plain)
	}
	for bit := range len(ad) * 8 {
		bent := bytes.Clone(ad)
		bent[bit/8] ^= 1 << (bit % 8)
		_, err := vault.Open(key(t, 0), box, bent)
		require.ErrorIs(t, err, vault.ErrBroken)
	}
	for bit := range vault.KeySize * 8 {
		secret := count(0, vault.KeySize)
		secret[bit/8] ^= 1 << (bit % 8)
		other, err := vault.NewKey(secret)
		require.NoError(t, err)
		_, err = vault.Open(other, box, ad)
		require.ErrorIs(t, err, vault.ErrBroken)
	}
	for size := range len(box) {
		_, err := vault.Open(key(t, 0), box[:size], ad)
		require.ErrorIs(t, err, vault.ErrBroken, "cut to %d bytes", size)
	}
	_, err = vault.Open(key(t, 0), append(bytes.Clone(box), 0), ad)
	require.ErrorIs(t, err, vault.ErrBroken)
}

func TestOpensOnlyWhereItBelongs(t *testing.T) {
	t.Parallel()
	box, err := vault.Seal(key(t, 0), nonces(), []byte("secret"), vault.AssociatedData(vault.Card, "m1", "r1"))
	require.NoError(t, err)
	for _, c := range []struct {
		name             string
		first            byte
		purpose          vault.Purpose
		merchant, record string
		opens            bool
	}{
		{"its own place", 0, vault.Card, "m1", "r1", true},
		{"another record", 0, vault.Card, "m1", "r2", false},
		{"another merchant", 0, vault.Card, "m2", "r1", false},
		{"another purpose", 0, vault.Password, "m1", "r1", false},
		{"another key", 1, vault.Card, "m1", "r1", false},
		{"a border moved", 0, vault.Card, "m1r", "1", false},
		{"merchant and record swapped", 0, vault.Card, "r1", "m1", false},
		{"nothing", 0, "", "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plain, err := vault.Open(key(t, c.first), box, vault.AssociatedData(c.purpose, c.merchant, c.record))
			if c.opens {
				require.NoError(t, err)
				require.Equal(t, "secret", string(plain))
				return
			}
			require.ErrorIs(t, err, vault.ErrBroken)
		})
	}
}

func TestSealRefuses(t *testing.T) {
	t.Parallel()
	_, err := vault.Seal(vault.Key{}, nonces(), []byte("x"), nil)
	require.ErrorIs(t, err, vault.ErrKeySize)
	_, err = vault.Open(vault.Key{}, make([]byte, vault.Overhead), nil)
	require.ErrorIs(t, err, vault.ErrKeySize)
	_, err = vault.Seal(key(t, 0), nonces(), make([]byte, vault.MaxPlain+1), nil)
	require.ErrorIs(t, err, vault.ErrTooLong)
	box, err := vault.Seal(key(t, 0), bytes.NewReader(make([]byte, 11)), []byte("x"), nil)
	require.ErrorContains(t, err, "random", "too few random bytes must not become a nonce of zeros")
	require.Nil(t, box)
}

func FuzzOpen(f *testing.F) {
	ad := vault.AssociatedData(vault.Card, "m", "r")
	good, err := vault.Seal(key(f, 0), nonces(), []byte("4111111111111111"), ad)
	require.NoError(f, err)
	f.Add(good, ad)
	f.Add(good[:vault.Overhead], ad)
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, box, data []byte) {
		plain, err := vault.Open(key(t, 0), box, data)
		if bytes.Equal(box, good) && bytes.Equal(data, ad) {
			require.NoError(t, err)
			require.Equal(t, "4111111111111111", string(plain))
			return
		}
		require.ErrorIs(t, err, vault.ErrBroken)
		require.Nil(t, plain)
	})
}
