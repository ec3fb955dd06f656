package kerneltest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// CountRecords counts the keys of a store, of each kind that may age.
func CountRecords(t testing.TB, s store.Store) map[string]int {
	t.Helper()
	list := map[string]int{}
	for _, prefix := range []string{"w", "wr", "lm", "ct", "s", "p", "o", "ot", "cb", "ch", "sc", "sk", "hs", "m",
		"md", "mk", "qr", "qc", "qh", "ep"} {
		if n := len(KeysUnder(t, s, prefix)); n > 0 {
			list[prefix] = n
		}
	}
	return list
}

// KeysUnder lists every key of a store under a prefix.
func KeysUnder(t testing.TB, s store.Store, prefix string) (keys []string) {
	t.Helper()
	require.NoError(t, s.View(context.Background(), func(r store.Reader) error {
		keys = nil
		for entry := range r.Scan(store.Range{Prefix: store.Key(prefix), Limit: Everything}) {
			require.NoError(t, entry.Err)
			keys = append(keys, string(entry.Key))
		}
		return nil
	}))
	return keys
}

// EveryKey lists every key of a store.
func EveryKey(t testing.TB, s store.Store) (keys []string) {
	t.Helper()
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		keys = nil
		for entry := range r.Scan(store.Range{Limit: Everything}) {
			require.NoError(t, entry.Err)
			keys = append(keys, string(entry.Key))
		}
		return nil
	}))
	return keys
}

// PutRaw puts bytes under a key.
func PutRaw(t testing.TB, s store.Store, value string, key ...string) {
	t.Helper()
	require.NoError(t, s.Update(context.Background(),
		func(tx store.Tx) error { return tx.Put(store.Key(key...), []byte(value)) }))
}

// RawOf returns the bytes under a key.
func RawOf(t testing.TB, kit *gatewaytest.Kit, key string) (value []byte) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) (err error) {
		value, err = r.Get([]byte(key))
		return err
	}))
	return value
}
