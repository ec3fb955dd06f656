package bolt

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt/internal/wal"
)

// A process may be killed when its first logs are there and the file does not know of them yet.
func TestKilledBeforeTheFileKnowsItsFirstLogs(t *testing.T) {
	t.Parallel()
	for _, count := range []int{1, 2} {
		path := filepath.Join(t.TempDir(), "store.db")
		s := open(t, path)
		names := logNames(path)
		for i, name := range names[:count] {
			log, err := s.disk.Create(name, wal.ID{1}, 1+uint64(i)*reach)
			require.NoError(t, err)
			require.NoError(t, log.Close())
		}
		killed := copyFiles(t, path)
		require.NoError(t, removeLogs(path))
		again := open(t, killed)
		require.NoError(t, again.Update(t.Context(), step(1)))
		require.Equal(t, "1", contents(t, again)["last"])
	}
}

// putLogs puts the logs that lie beside one file beside another.
func putLogs(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, removeLogs(to))
	for i, name := range logNames(from) {
		text, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(logNames(to)[i], text, 0o600))
	}
}

// A file that goes on without its log has another story from its first write on. The log, put back beside it later, is
// neither mixed into that nor removed: it may be all that is left of its payments. Before that write it still fits. So
// it is with a backup, and a copy, and the logs of the store from which they were made.
func TestLogsOfAnotherStory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		part func(t *testing.T, s *Store) (path string) // a file that has parted from the store
	}{
		{"given up", func(t *testing.T, s *Store) string {
			path := copyFiles(t, s.path)
			require.NoError(t, AbandonLog(path))
			return path
		}},
		{"a backup", func(t *testing.T, s *Store) string {
			path := filepath.Join(t.TempDir(), "backup.db")
			require.NoError(t, s.Backup(t.Context(), path))
			require.NoError(t, s.Update(t.Context(), step(50)))
			return path
		}},
	} {
		for name, count := range map[string]int{"not used": 0, "shorter": 1, "as long": 5, "longer": 20} {
			t.Run(c.name+", "+name, func(t *testing.T) {
				t.Parallel()
				s := open(t, filepath.Join(t.TempDir(), "store.db"))
				for n := range 5 {
					require.NoError(t, s.Update(t.Context(), step(n)))
				}
				path := c.part(t, s)
				parted, err := Open(path)
				require.NoError(t, err)
				for n := range count {
					require.NoError(t, parted.Update(t.Context(), step(60+n)))
				}
				want := contents(t, parted)
				require.NoError(t, parted.Close())
				putLogs(t, copyFiles(t, s.path), path)
				if count == 0 {
					require.Equal(t, contents(t, s), contents(t, open(t, path)))
					return
				}
				_, err = Open(path)
				require.ErrorIs(t, err, errForeign)
				require.FileExists(t, logNames(path)[0])
				require.NoError(t, removeLogs(path))
				require.Equal(t, want, contents(t, open(t, path)))
			})
		}
	}
}

// AbandonLog touches nothing but a store.
func TestAbandonLogOfNoStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	require.ErrorIs(t, AbandonLog(path), os.ErrNotExist)
	require.NoFileExists(t, path)
	db, err := bbolt.Open(path, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("other"))
		return err
	}))
	require.NoError(t, db.Close())
	require.NoError(t, os.WriteFile(path+".log1", []byte("of another program"), 0o600))
	require.ErrorContains(t, AbandonLog(path), "of another program")
	require.FileExists(t, path+".log1")
}

// Logs that were given up earlier stay.
func TestAbandonedTwice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	require.NoError(t, open(t, path).Close())
	require.NoError(t, os.WriteFile(path+".log1", []byte("first"), 0o600))
	require.NoError(t, AbandonLog(path))
	require.NoError(t, os.WriteFile(path+".log1", []byte("second"), 0o600))
	require.ErrorIs(t, AbandonLog(path), fs.ErrExist)
	for name, want := range map[string]string{".log1.abandoned": "first", ".log1": "second"} {
		text, err := os.ReadFile(path + name)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
	require.NoError(t, os.Remove(path+".log1.abandoned"))
	require.NoError(t, AbandonLog(path))
}

// A scan that is kept beyond its transaction ends, also when the file is closed.
func TestScanIsKeptBeyondItsTransaction(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(path, tiny)
	require.NoError(t, err)
	for n := range 5 {
		require.NoError(t, s.Update(t.Context(), step(n)))
	}
	settled(t, s)
	var next func() (store.Entry, bool)
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		var stop func()
		next, stop = iter.Pull(r.Scan(store.Range{Limit: 9}))
		t.Cleanup(stop)
		entry, ok := next()
		require.True(t, ok)
		return entry.Err
	}))
	require.NoError(t, s.Close())
	entry, ok := next()
	require.True(t, ok)
	require.ErrorIs(t, entry.Err, store.ErrDone)
	_, ok = next()
	require.False(t, ok)
}

// A store that has failed leaves none of its files open, has lost nothing, and says whether the last update may be
// there.
func TestFailuresOfLogs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		missing string // a log that cannot be made
		fails   func(t *testing.T, s *Store) error
		unknown bool
		closes  bool
		files   int
		last    string
	}{
		{name: "a batch", fails: func(t *testing.T, s *Store) error {
			breakLog(t, s)
			return s.Update(t.Context(), step(1))
		}, unknown: true, files: 3},
		{name: "a log", missing: ".log2", fails: func(t *testing.T, s *Store) error {
			return s.Update(t.Context(), step(1))
		}, closes: true, files: 2},
		{name: "an end", fails: func(t *testing.T, s *Store) error {
			settled := full(t, s)
			settled()
			require.NoError(t, s.log.Close())
			return s.Update(t.Context(), step(3))
		}, files: 3, last: "2"},
		{name: "a log that is begun again", fails: func(t *testing.T, s *Store) error {
			flushes := 0
			s.disk.Flush = func(f *os.File) error {
				if flushes++; flushes == 4 { // two logs are begun, and a batch ends the first
					return os.ErrClosed
				}
				return wal.Flush(f)
			}
			require.NoError(t, s.Update(t.Context(), step(1)))
			<-s.other.done
			require.ErrorIs(t, s.View(t.Context(), func(store.Reader) error { return nil }), os.ErrClosed)
			return s.Update(t.Context(), step(2))
		}, files: 3, last: "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var files []*os.File
			path := filepath.Join(t.TempDir(), "store.db")
			s, err := Open(path, tiny, func(o *Options) {
				o.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
					if c.missing != "" && name == path+c.missing {
						return nil, os.ErrClosed
					}
					f, err := os.OpenFile(name, flag, mode)
					files = append(files, f)
					return f, err
				}
			})
			require.NoError(t, err)
			err = c.fails(t, s)
			require.ErrorIs(t, err, os.ErrClosed)
			require.Equal(t, c.unknown, errors.Is(err, store.ErrUnknownCommit))
			require.Equal(t, !c.unknown, errors.Is(err, store.ErrClosed))
			if err := s.Close(); !c.closes {
				require.ErrorIs(t, err, os.ErrClosed)
			} else {
				require.NoError(t, err)
			}
			require.Len(t, files, c.files, "the file and its logs")
			for _, f := range files {
				require.ErrorIs(t, f.Close(), os.ErrClosed, f.Name())
			}
			again := open(t, path)
			require.Equal(t, c.last, contents(t, again)["last"])
			require.NoError(t, again.Update(t.Context(), step(9)))
		})
	}
}
