package storetest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func limits() []contract {
	return []contract{
		{"bytes belong to the caller", testOwnBytes},
		{"values from nothing to 1 MiB", testValueSizes},
		{"keys of any bytes", testAnyKey},
		{"empty and too long keys are refused", testBadKeys},
		{"nil and too large values are refused", testBadValues},
	}
}

func testOwnBytes(t *testing.T, s store.Store) {
	key, value := []byte("key"), []byte("value")
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		require.NoError(t, tx.Put(key, value))
		copy(key, "xxx")
		copy(value, "xxxxx")
		spoil(t, tx)
		spoil(t, tx)
		return nil
	}))
	var kept []byte
	require.NoError(t, s.View(background(t), func(r store.Reader) error {
		spoil(t, r)
		spoil(t, r)
		var err error
		kept, err = r.Get([]byte("key"))
		return err
	}))
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		born, value, gone := []byte("born"), []byte("value"), []byte("key")
		require.NoError(t, errors.Join(tx.Insert(born, value), tx.Delete(gone)))
		copy(born, "xxxx")
		copy(value, "xxxxx")
		copy(gone, "xxx")
		return nil
	}))
	require.NoError(t, s.View(background(t), func(r store.Reader) error {
		_, err := r.Get([]byte("key"))
		require.ErrorIs(t, err, store.ErrNotFound)
		born, err := r.Get([]byte("born"))
		require.Equal(t, "value", string(born))
		return err
	}))
	put(t, s, "key", "other")
	require.NoError(t, s.Close()) // returned values remain valid even after the store is closed
	require.Equal(t, "value", string(kept))
}

// spoil checks what the reader returns, and overwrites it.
func spoil(t *testing.T, r store.Reader) {
	t.Helper()
	value, err := r.Get([]byte("key"))
	require.NoError(t, err)
	require.Equal(t, "value", string(value))
	clear(value)
	for e := range r.Scan(rangeOf("k", "", 9)) {
		require.Equal(t, "key", string(e.Key))
		require.Equal(t, "value", string(e.Value))
		clear(e.Key)
		clear(e.Value)
	}
}

func testValueSizes(t *testing.T, s store.Store) {
	for _, size := range []int{0, 1, 4096, store.MaxValue} {
		value := bytes.Repeat([]byte{7}, size)
		check := func(r store.Reader) {
			got, err := r.Get([]byte("k"))
			require.NoError(t, err)
			require.NotNil(t, got)
			require.True(t, bytes.Equal(value, got))
			for e := range r.Scan(rangeOf("k", "", 1)) {
				require.NotNil(t, e.Value)
				require.True(t, bytes.Equal(value, e.Value))
			}
		}
		require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
			require.NoError(t, tx.Put([]byte("k"), value))
			check(tx)
			return nil
		}))
		require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
			require.ErrorIs(t, tx.Insert([]byte("k"), value), store.ErrExists)
			return nil
		}))
		require.NoError(t, s.View(background(t), func(r store.Reader) error { check(r); return nil }))
	}
}

func testAnyKey(t *testing.T, s store.Store) {
	in := []string{"\x00", "\x00\x00", "\x00\x01", " ", "/", "a\x00b", "\xc3\x28", "\u00e9\u4e16", "\xff",
		"\xff" + string(make([]byte, store.MaxKey-1))}
	for _, key := range in {
		put(t, s, key, key)
	}
	require.NoError(t, s.View(background(t), func(r store.Reader) error {
		require.Equal(t, in, keys(t, r, store.Range{Limit: 99}))
		for _, key := range in {
			require.Equal(t, key, read(t, r, key))
		}
		return nil
	}))
}

func testBadKeys(t *testing.T, s store.Store) {
	for _, key := range [][]byte{nil, {}, make([]byte, store.MaxKey+1)} {
		require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
			require.ErrorIs(t, tx.Put(key, []byte("v")), store.ErrKey)
			require.ErrorIs(t, tx.Insert(key, []byte("v")), store.ErrKey)
			require.ErrorIs(t, tx.Delete(key), store.ErrKey)
			_, err := tx.Get(key)
			require.ErrorIs(t, err, store.ErrKey)
			require.Empty(t, keys(t, tx, store.Range{Limit: 9}))
			return nil
		}))
	}
}

func testBadValues(t *testing.T, s store.Store) {
	for _, value := range [][]byte{nil, make([]byte, store.MaxValue+1)} {
		require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
			require.ErrorIs(t, tx.Put([]byte("k"), value), store.ErrValue)
			require.ErrorIs(t, tx.Insert([]byte("k"), value), store.ErrValue)
			return nil
		}))
		require.Equal(t, "absent", get(t, s, "k"))
	}
}
