package bolt_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/tollgatepay/gateway/store/bolt"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	file := func(content string, mode os.FileMode) func(t *testing.T, path string) {
		return func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte(content), mode)) }
	}
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		opt     bolt.Option
		want    string
	}{
		{name: "NoSync", opt: func(o *bolt.Options) { o.NoSync = true }, want: "leave it off"},
		{name: "NoGrowSync", opt: func(o *bolt.Options) { o.NoGrowSync = true }, want: "leave it off"},
		{name: "ReadOnly", opt: func(o *bolt.Options) { o.ReadOnly = true }, want: "cannot be ReadOnly"},
		{name: "NoFreelistSync", opt: func(o *bolt.Options) { o.NoFreelistSync = true }, want: "lets Open read the whole file"},
		{name: "no log", opt: func(o *bolt.Options) { o.LogSize = 0 }, want: "1 byte to 1 GiB"},
		{name: "keeps less than nothing", opt: func(o *bolt.Options) { o.Keep = -1 }, want: "Keep is not below 0"},
		{name: "an endless log", opt: func(o *bolt.Options) { o.LogSize = 2 << 30 }, want: "1 byte to 1 GiB"},
		{name: "no way to open", opt: func(o *bolt.Options) { o.OpenFile = nil }, want: "OpenFile is nil"},
		{name: "readable by others", prepare: file("x", 0o640), want: "run: chmod 600"},
		{name: "empty file", prepare: file("", 0o600), want: "is empty; remove it"},
		{name: "not a store", prepare: file("something else", 0o600), want: "invalid database"},
		{name: "a folder", prepare: func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o700)) }, want: "is not a file"},
		{name: "another program's file", prepare: withBucket("other"), want: "of another program"},
		{name: "an earlier version's file", prepare: withBucket("tollgate"), want: "by an earlier version of this library"},
		{name: "held", prepare: hold, want: "is open in another process"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store.db")
			if c.prepare != nil {
				c.prepare(t, path)
			}
			opts := []bolt.Option{atOnce}
			if c.opt != nil {
				opts = append(opts, c.opt)
			}
			_, err := bolt.Open(path, opts...)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := bolt.Open(filepath.Join(t.TempDir(), "no such folder", "store.db"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func atOnce(o *bolt.Options) { o.Timeout = time.Millisecond }

// withBucket makes a bbolt file with one bucket.
func withBucket(name string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		db, err := bbolt.Open(path, 0o600, nil)
		require.NoError(t, err)
		require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket([]byte(name))
			return err
		}))
		require.NoError(t, db.Close())
	}
}

func hold(t *testing.T, path string) {
	s, err := bolt.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
}

func TestOpenCreatesOneCompletePrivateFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "store.db")
	var wg sync.WaitGroup
	var mu sync.Mutex
	var opened []*bolt.Store
	for range 8 {
		wg.Go(func() {
			s, err := bolt.Open(path, atOnce)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				opened = append(opened, s)
			} else if !errors.Is(err, berrors.ErrTimeout) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.Len(t, opened, 1, "one of many that open at once has the file")
	require.NoError(t, opened[0].Close())
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1, "no draft file is left")
	info, err := entries[0].Info()
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
}
