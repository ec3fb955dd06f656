package vault_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/vault"
)

func TestKeySizes(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 16, 24, 31, 33, 64} {
		_, err := vault.NewKey(make([]byte, size))
		require.ErrorIs(t, err, vault.ErrKeySize, "%d bytes", size)
	}
	_, err := vault.MakeKey(bytes.NewReader(make([]byte, 31)))
	require.Error(t, err)
	made, err := vault.MakeKey(bytes.NewReader(count(9, 32)))
	require.NoError(t, err)
	require.Equal(t, count(9, 32), made.Bytes())
	require.False(t, made.IsZero())
	require.True(t, vault.Key{}.IsZero())
	require.Nil(t, vault.Key{}.Bytes())
}

func TestKeyIsWipedInAllCopies(t *testing.T) {
	t.Parallel()
	given := count(9, 32)
	made, err := vault.NewKey(given)
	require.NoError(t, err)
	second := made
	made.Wipe()
	require.Equal(t, make([]byte, 32), second.Bytes())
	require.Equal(t, count(9, 32), given)
	vault.Wipe(given)
	require.Equal(t, make([]byte, 32), given)
	vault.Key{}.Wipe()
}

// TestKeyForMany: a key with its cipher made seals and opens the same boxes.
func TestKeyForMany(t *testing.T) {
	t.Parallel()
	plain := key(t, 0)
	many, err := plain.ForMany()
	require.NoError(t, err)
	want, err := vault.Seal(plain, nonces(), []byte("same"), []byte("ad"))
	require.NoError(t, err)
	for range 2 {
		got, err := vault.Seal(many, nonces(), []byte("same"), []byte("ad"))
		require.NoError(t, err)
		require.Equal(t, want, got)
		opened, err := vault.Open(many, want, []byte("ad"))
		require.NoError(t, err)
		require.Equal(t, "same", string(opened))
	}
	require.Equal(t, plain.Bytes(), many.Bytes())
	_, err = vault.Key{}.ForMany()
	require.ErrorIs(t, err, vault.ErrKeySize)
}

// TestKeyNeverShows prints, logs and marshals a key alone, and in a field that fmt cannot format.
func TestKeyNeverShows(t *testing.T) {
	t.Parallel()
	made, err := vault.NewKey([]byte("0123456789abcdefghijklmnopqrstuv"))
	require.NoError(t, err)
	made, err = made.ForMany()
	require.NoError(t, err)
	type holder struct {
		Shown  vault.Key
		hidden vault.Key
	}
	held := holder{made, made}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%c", "%o", "%b"} {
		for _, value := range []any{made, &made, held, &held, []vault.Key{made}, map[string]holder{"a": held}} {
			fmt.Fprintf(&out, verb+"\n", value)
		}
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "key", made, "held", held)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "key", made, "held", held)
	for _, trace := range []string{
		"0123456789abc", "30313233", "48 49 50", "0x30, 0x31", "60 61 62", "110000 110001", "0 1 2 3",
	} {
		require.NotContains(t, out.String(), trace)
	}

	_, err = json.Marshal(held)
	require.ErrorContains(t, err, "cannot be marshalled")
	_, err = xml.Marshal(made)
	require.ErrorContains(t, err, "cannot be marshalled")
	require.ErrorContains(t, gob.NewEncoder(&bytes.Buffer{}).Encode(made), "cannot be marshalled")
}
