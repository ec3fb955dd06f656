package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt/internal/wal"
)

// tiny lets every batch fill a log, of which nothing stays.
func tiny(o *Options) { o.LogSize, o.Keep = 1, 0 }

// small lets a few batches fill a log, of which nothing stays.
func small(o *Options) { o.LogSize, o.Keep = 3000, 0 }

// keeping is small, but what some logs have had stays.
func keeping(o *Options) { o.LogSize, o.Keep = 3000, 8000 }

// sizes are ways to fill logs and to keep what they had.
var sizes = map[string]Option{"usual": func(*Options) {}, "small": small, "tiny": tiny, "keeping": keeping}

// contents returns all entries of a store.
func contents(t *testing.T, s *Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		clear(all)
		for entry := range r.Scan(store.Range{Limit: 1 << 20}) {
			require.NoError(t, entry.Err)
			all[string(entry.Key)] = string(entry.Value)
		}
		return nil
	}))
	return all
}

// step is the n-th of some updates that write, replace and remove.
func step(n int) func(tx store.Tx) error {
	return func(tx store.Tx) error {
		return errors.Join(
			tx.Put(fmt.Appendf(nil, "k%03d", n), bytes.Repeat([]byte{byte(n)}, 100)),
			tx.Put([]byte("last"), fmt.Append(nil, n)),
			tx.Put(fmt.Appendf(nil, "k%03d", n*7%50), fmt.Append(nil, "again", n)),
			tx.Delete(fmt.Appendf(nil, "k%03d", n*11%50)))
	}
}

// copyFiles copies a file and its logs, as they are when a process is killed.
func copyFiles(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "store.db")
	for _, suffix := range []string{"", ".log1", ".log2"} {
		from, err := os.Open(path + suffix)
		if errors.Is(err, fs.ErrNotExist) && suffix != "" {
			continue
		}
		require.NoError(t, err)
		copied, err := os.OpenFile(to+suffix, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		_, err = io.Copy(copied, from)
		require.NoError(t, errors.Join(err, copied.Close(), from.Close()))
	}
	return to
}

// requireNoLogs checks that a file is alone.
func requireNoLogs(t *testing.T, path string) {
	t.Helper()
	for _, name := range logNames(path) {
		require.NoFileExists(t, name)
	}
}

// settled waits until the file has what full logs have.
func settled(t *testing.T, s *Store) {
	t.Helper()
	_, err := s.line.Wait(t.Context(), nil)
	require.NoError(t, err)
	other := s.other
	s.pass()
	if other != nil {
		<-other.done
	}
}

// A process that is killed after any update has lost nothing: before a log is full, while a full one waits for the
// file, when it has arrived there, and when the first log is used again.
func TestKilledAfterAnyUpdate(t *testing.T) {
	t.Parallel()
	for name, opt := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store.db")
			s := open(t, path, opt)
			for n := range 30 {
				require.NoError(t, s.Update(t.Context(), step(n)))
				settled(t, s)
				want := contents(t, s)
				require.Equal(t, fmt.Sprint(n), want["last"])
				killed := copyFiles(t, path)
				require.Equal(t, want, contents(t, open(t, killed, opt)))
				requireNoLogs(t, killed) // so that one more crash finds nothing either
			}
		})
	}
}

// smaller lets two batches fill a log.
func smaller(o *Options) { o.LogSize, o.Keep = 700, 0 }

// The same while the file takes no writes: the full log waits, and the other one has the latest batches.
func TestKilledWhileALogWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path, smaller)
	require.NoError(t, s.Update(t.Context(), step(0)))
	for n, waits := 1, 0; waits < 20; waits++ {
		settled(t, s)
		holder, err := s.db.Begin(true)
		require.NoError(t, err)
		t.Cleanup(func() { _ = holder.Rollback() })              // before the store is closed
		for ; s.other.ready() || s.log.Size() < s.logSize; n++ { // until both are full
			require.NoError(t, s.Update(t.Context(), step(n)))
			want := contents(t, s)
			again := open(t, copyFiles(t, path), small)
			require.Equal(t, want, contents(t, again))
			require.NoError(t, again.Update(t.Context(), step(n+1)))
		}
		require.NoError(t, holder.Rollback())
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	t.Parallel()
	for name, opt := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store.db")
			for round := range 4 {
				s, err := Open(path, opt)
				require.NoError(t, err)
				if round == 3 { // nothing is written
					require.Equal(t, "59", contents(t, s)["last"])
					require.NoError(t, s.Close())
					requireNoLogs(t, path)
					return
				}
				for n := range 20 {
					require.NoError(t, s.Update(t.Context(), step(20*round+n)))
				}
				require.FileExists(t, logNames(path)[0])
				want := contents(t, s)
				require.NoError(t, s.Close())
				requireNoLogs(t, path)
				again := open(t, copyFiles(t, path), opt)
				require.Equal(t, want, contents(t, again))
			}
		})
	}
}

// Logs that are still there after Close, because the process was killed between its last two steps, change nothing.
// When the file has gone on since, a person has put them there, and they are refused.
func TestLogsOfBefore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(path, small)
	require.NoError(t, err)
	last := 0
	for ; last < 40 || s.log.Size() == 0; last++ {
		require.NoError(t, s.Update(t.Context(), step(last)))
	}
	settled(t, s)
	before := copyFiles(t, path)
	require.NoError(t, s.Close())
	putBack := func() {
		for i, name := range logNames(before) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(logNames(path)[i], text, 0o600))
		}
	}
	putBack()
	s, err = Open(path)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(last-1), contents(t, s)["last"])
	for n := range 5 {
		require.NoError(t, s.Update(t.Context(), step(last+n)))
	}
	want := contents(t, s)
	require.NoError(t, s.Close())
	putBack()
	_, err = Open(path)
	require.ErrorIs(t, err, errForeign, "no crash leaves them: the Open before has removed them")
	require.NoError(t, removeLogs(path))
	require.Equal(t, want, contents(t, open(t, path)))
}

// alterStatus changes what a file knows of its logs.
func alterStatus(t *testing.T, path string, edit func(*status)) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
		st, err := readStatus(tx)
		edit(&st)
		return errors.Join(err, st.put(tx))
	}))
	require.NoError(t, db.Close())
}

// A log that cannot be brought into the file is refused by name, with the cure.
func TestLogIsRefused(t *testing.T) {
	t.Parallel()
	change := func(t *testing.T, path string, edit func(text []byte) []byte) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, edit(text), 0o600))
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		want  error
		cure  string
		waits bool // the log that is full, for the file
	}{
		{"both are missing", func(t *testing.T, path string) {
			require.NoError(t, errors.Join(os.Remove(path+".log1"), os.Remove(path+".log2")))
		}, errMissing, "put the files store.db.log1 and .log2 back beside it", false},
		{"the one in use is missing", func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path+".log2"))
		}, errMissing, "bolt.AbandonLog", false},
		{"the one behind a log that the file does not have yet", func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path+".log2"))
		}, errMissing, "bolt.AbandonLog", true},
		{"a log that the file does not have yet", func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path+".log1"))
		}, errMissing, "bolt.AbandonLog", true},
		{"of another file", func(t *testing.T, path string) {
			other := open(t, filepath.Join(t.TempDir(), "other.db"))
			require.NoError(t, other.Update(t.Context(), step(1)))
			text, err := os.ReadFile(other.path + ".log1")
			require.NoError(t, err)
			change(t, path+".log1", func([]byte) []byte { return text })
		}, errForeign, "move store.db.log1 and .log2 away", false},
		{"a batch is damaged", func(t *testing.T, path string) {
			change(t, path+".log2", func(text []byte) []byte { text[100] ^= 1; return text })
		}, wal.ErrDamaged, "put file and logs of one copy back together", false},
		{"the head is damaged", func(t *testing.T, path string) {
			change(t, path+".log2", func(text []byte) []byte { text[3] ^= 1; return text })
		}, wal.ErrDamaged, "bolt.AbandonLog", false},
		{"the file is older than the logs", func(t *testing.T, path string) {
			alterStatus(t, path, func(st *status) { st.settled = 0 })
		}, errMissing, "put the files store.db.log1 and .log2 back beside it", false},
		{"an earlier copy of the file, closed well", func(t *testing.T, path string) {
			alterStatus(t, path, func(st *status) { st.settled, st.logged = st.settled-2, false })
			require.NoError(t, os.Remove(path+".log1"))
		}, errGap, "put file and logs of one copy back together", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			killed, want := fourBehind(t, c.waits)
			c.spoil(t, killed)
			for range 2 { // a refusal changes nothing
				_, err := Open(killed)
				require.ErrorIs(t, err, c.want)
				require.ErrorContains(t, err, "cannot be read up to its last payment")
				require.ErrorContains(t, err, c.cure)
			}
			if c.want == errForeign {
				return // nothing is to be given up
			}
			require.NoError(t, AbandonLog(killed))
			abandoned := open(t, killed)
			require.Equal(t, want, contents(t, abandoned), "the state when the last log was settled")
			require.NoError(t, abandoned.Update(t.Context(), step(1)))
			left, err := filepath.Glob(killed + ".log?.abandoned")
			require.NoError(t, err)
			if c.want != errMissing {
				require.NotEmpty(t, left)
			}
		})
	}
}

// fourBehind returns the file of a process that was killed when it had four batches behind a full log, and what the
// file has: all of the full log, unless that waits.
func fourBehind(t *testing.T, waits bool) (killed string, want map[string]string) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path, small)
	require.NoError(t, s.Update(t.Context(), step(0)))
	holder, err := s.db.Begin(true)
	require.NoError(t, err)
	t.Cleanup(func() { _ = holder.Rollback() }) // before the store is closed
	n := 1
	for ; s.layers().turns == 0; n++ {
		require.NoError(t, s.Update(t.Context(), step(n)))
	}
	want = contents(t, s)
	for range 4 {
		require.NoError(t, s.Update(t.Context(), step(n)))
		n++
	}
	if waits {
		return copyFiles(t, path), map[string]string{}
	}
	require.NoError(t, holder.Rollback())
	settled(t, s)
	require.Equal(t, uint64(1), s.layers().turns)
	return copyFiles(t, path), want
}

// A log is as private as its file.
func TestLogIsPrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	require.NoError(t, s.Update(t.Context(), step(1)))
	info, err := os.Stat(path + ".log1")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	killed := copyFiles(t, path)
	require.NoError(t, os.Chmod(killed+".log1", 0o640))
	_, err = Open(killed)
	require.ErrorContains(t, err, "store.db.log1 (mode 0640); run: chmod 600")
}

// A log that the file does not take stays, the store refuses everything, and the next Open has all that was stored.
func TestFileTakesNoMore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(path, small, func(o *Options) { o.MaxSize = 100 << 10 })
	require.NoError(t, err)
	want, n := map[string]string{}, 0
	for ; ; n++ {
		err = s.Update(t.Context(), func(tx store.Tx) error {
			return tx.Put(fmt.Appendf(nil, "%05d", n), make([]byte, 1000))
		})
		if err != nil {
			break
		}
		want[fmt.Sprintf("%05d", n)] = string(make([]byte, 1000))
	}
	require.ErrorIs(t, err, store.ErrClosed)
	require.NotErrorIs(t, err, store.ErrUnknownCommit)
	require.ErrorIs(t, s.View(t.Context(), func(store.Reader) error { return nil }), berrors.ErrMaxSizeReached)
	require.ErrorContains(t, s.Close(), "nothing is lost, and the next Open tries again")
	require.Equal(t, want, contents(t, open(t, path)))
}

// Readers that began before logs were exchanged, and while a log was settled, keep their state.
func TestSnapshotsStay(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"), tiny)
	ends := make([]chan struct{}, 0, 50)
	done := make(chan error, 50)
	for n := range 50 {
		require.NoError(t, s.Update(t.Context(), step(n)))
		began, end := make(chan struct{}), make(chan struct{})
		ends = append(ends, end)
		go func() {
			done <- s.View(t.Context(), func(r store.Reader) error {
				close(began)
				<-end
				value, err := r.Get([]byte("last"))
				if err == nil && string(value) != fmt.Sprint(n) {
					err = fmt.Errorf("a reader after %d saw %s", n, value)
				}
				return err
			})
		}()
		<-began
	}
	for _, end := range ends {
		close(end)
		require.NoError(t, <-done)
	}
}

// A reader who is held up between what lies over the file and the file itself begins again, if the file may have more.
func TestSnapshotIsOfOneMoment(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"), tiny)
	for n := range 5 {
		require.NoError(t, s.Update(t.Context(), step(n)))
		settled(t, s)
		over := s.layers()
		snap, fits, err := s.under(over)
		require.NoError(t, err)
		require.True(t, fits)
		snap.release()
		require.NoError(t, s.Update(t.Context(), step(n+1))) // exchanges the logs
		settled(t, s)
		snap, fits, err = s.under(over)
		require.NoError(t, err)
		if fits {
			snap.release()
		}
		require.False(t, fits)
	}
}

// A reader never sees a state of before an update that was acknowledged, nor half of one, while logs are exchanged as
// fast as they can be.
func TestReadersBesideExchanges(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"), tiny)
	stop, errs := make(chan struct{}), make(chan error, 4)
	for range 4 {
		go func() {
			last := -1
			for {
				err := s.View(t.Context(), func(r store.Reader) error {
					a, b := -1, -1
					for entry := range r.Scan(store.Range{Prefix: []byte("pair"), Limit: 9}) {
						a, b = b, int(entry.Value[0])
					}
					if a != b || a < last {
						return fmt.Errorf("saw %d and %d after %d", a, b, last)
					}
					last = a
					return nil
				})
				select {
				case <-stop:
					errs <- err
					return
				default:
				}
				if err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	for n := range 100 {
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
			return errors.Join(tx.Put([]byte("pair1"), []byte{byte(n)}), tx.Put([]byte("pair2"), []byte{byte(n)}))
		}))
		runtime.Gosched()
	}
	close(stop)
	for range 4 {
		require.NoError(t, <-errs)
	}
}

// TestWaitForLog: a caller who waits for a log that is on its way into the file waits no longer than the context
// says. The store goes on with those who wait longer.
func TestWaitForLog(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(ctx context.Context, s *Store, to string) error{
		"Update": func(ctx context.Context, s *Store, _ string) error { return s.Update(ctx, step(2)) },
		"Share":  func(ctx context.Context, s *Store, _ string) error { return s.Share(ctx, step(2)) },
		"Backup": func(ctx context.Context, s *Store, to string) error { return s.Backup(ctx, to) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waitForLog(t, call)
		})
	}
}

func waitForLog(t *testing.T, call func(ctx context.Context, s *Store, to string) error) {
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(filepath.Join(t.TempDir(), "store.db"), tiny)
		require.NoError(t, err)
		settled := full(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 2)
		go func() { ended <- call(ctx, s, filepath.Join(t.TempDir(), "copy.db")) }()
		synctest.Wait()
		require.Empty(t, ended)
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)

		go func() { ended <- s.Update(t.Context(), step(3)) }()
		synctest.Wait()
		require.Empty(t, ended)
		settled()
		require.NoError(t, <-ended)
		require.Equal(t, "3", contents(t, s)["last"])
		require.NoError(t, s.Close())
	})
}

// full fills both logs of a store that is tiny, until the caller lets the other one be settled.
func full(t *testing.T, s *Store) (settled func()) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), step(1)))
	<-s.other.done
	slow := &settling{log: s.other.log, done: make(chan struct{})}
	s.other = slow
	require.NoError(t, s.Update(t.Context(), step(2)))
	return func() { close(slow.done) }
}

// No log is ended for another that could not be begun again.
func TestNoExchangeForALogThatFailed(t *testing.T) {
	t.Parallel()
	s, err := Open(filepath.Join(t.TempDir(), "store.db"), tiny)
	require.NoError(t, err)
	settled := full(t, s)
	s.other.err = errors.New("its head is not on the disk")
	settled()
	turns := s.layers().turns
	err = s.Update(t.Context(), step(3))
	require.ErrorIs(t, err, store.ErrClosed)
	require.ErrorContains(t, err, "its head is not on the disk")
	require.Equal(t, turns, s.layers().turns)
	require.Error(t, s.Close())
}

// A batch that fills its log does not end it while the other one is not known to be ready.
func TestNoEndBeforeTheOtherIsReady(t *testing.T) {
	t.Parallel()
	s, err := Open(filepath.Join(t.TempDir(), "store.db"), tiny)
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), step(1)))
	<-s.other.done
	s.other.err = errors.New("its head is not on the disk")
	require.NoError(t, s.Update(t.Context(), step(2)))
	require.Equal(t, uint64(1), s.layers().turns, "the first log alone was exchanged")
	require.ErrorContains(t, s.Update(t.Context(), step(3)), "its head is not on the disk")
	require.Error(t, s.Close())
}

// A copy of before has fewer batches than the logs continue, also when these are empty.
func TestEarlierCopyBesideEmptyLogs(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := open(t, filepath.Join(folder, "store.db"))
	for n := range 3 {
		require.NoError(t, s.Update(t.Context(), step(n)))
		require.NoError(t, s.Backup(t.Context(), filepath.Join(folder, fmt.Sprint(n))))
	}
	settled(t, s)
	require.Zero(t, s.log.Size())
	for n, want := range []error{errGap, errGap, nil} {
		killed := copyFiles(t, s.path)
		text, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(n)))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(killed, text, 0o600))
		again, err := Open(killed)
		require.ErrorIs(t, err, want)
		if want == nil {
			require.Equal(t, "2", contents(t, again)["last"])
			require.NoError(t, again.Close())
		}
	}
}
