package bolt

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func TestBackup(t *testing.T) {
	t.Parallel()
	for name, opt := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			s := open(t, filepath.Join(folder, "store.db"), opt)
			for n := range 12 {
				want := contents(t, s) // of the first one nothing was written yet
				to := filepath.Join(folder, fmt.Sprintf("backup-%d.db", n))
				require.NoError(t, s.Backup(t.Context(), to))
				info, err := os.Stat(to)
				require.NoError(t, err)
				require.Equal(t, fs.FileMode(0o600), info.Mode())
				backup := open(t, to)
				require.Equal(t, want, contents(t, backup))
				require.NoError(t, backup.Update(t.Context(), step(99)))
				require.Equal(t, want, contents(t, s), "a backup is a store of its own")
				require.NoError(t, s.Update(t.Context(), step(n)))
			}
			left, err := filepath.Glob(filepath.Join(folder, "*.new-*"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// A backup beside writers is one state of the store: all that was stored before it, and no half of an update.
func TestBackupBesideWriters(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := open(t, filepath.Join(folder, "store.db"), small)
	var stored atomic.Int64
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for n := int64(1); ; n++ {
			err := s.Update(context.Background(), func(tx store.Tx) error {
				for _, key := range []string{"a", "z"} {
					if err := tx.Put([]byte(key), fmt.Append(nil, n)); err != nil {
						return err
					}
				}
				return nil
			})
			stored.Store(n)
			select {
			case <-stop:
				ended <- err
				return
			default:
			}
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	for n := range 10 {
		before := stored.Load()
		to := filepath.Join(folder, fmt.Sprintf("backup-%d.db", n))
		require.NoError(t, s.Backup(t.Context(), to))
		got := contents(t, open(t, to))
		require.Equal(t, got["a"], got["z"])
		if before > 0 {
			var has int64
			_, err := fmt.Sscan(got["a"], &has)
			require.NoError(t, err)
			require.GreaterOrEqual(t, has, before)
		}
	}
	close(stop)
	require.NoError(t, <-ended)
}

func TestBackupRefuses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	require.NoError(t, s.Update(t.Context(), step(1)))
	require.ErrorIs(t, s.Backup(t.Context(), path), fs.ErrExist)
	require.ErrorIs(t, s.Backup(t.Context(), filepath.Join(path+" folder", "copy")), fs.ErrNotExist)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Backup(cancelled, path+".copy"), context.Canceled)
	require.NoFileExists(t, path+".copy")
	closed, err := Open(filepath.Join(t.TempDir(), "store.db"))
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	require.ErrorIs(t, closed.Backup(t.Context(), path+".copy"), store.ErrClosed)
}
