package bolt_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// victim names, in the environment, the file that a child of this test works on until it is killed.
const victim = "TOLLGATE_BOLT_VICTIM"

func TestMain(m *testing.M) {
	path := os.Getenv(victim)
	if path == "" {
		os.Exit(m.Run())
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(3) // the parent has died
	}()
	_, _ = fmt.Println("fault:", work(path)) // it never ends well
	os.Exit(1)
}

const workers = 6

// fewBatches lets a few batches fill a log.
func fewBatches(o *bolt.Options) { o.LogSize = 2000 }

// work lets workers and readers go on until one finds a fault.
func work(path string) error {
	s, err := bolt.Open(path, fewBatches)
	if err != nil {
		return err
	}
	faults := make(chan error)
	for w := range workers {
		go func() { faults <- count(s, w) }()
	}
	for range 2 {
		go func() { faults <- watch(s) }()
	}
	return <-faults
}

// count adds one to a worker's number and to the sum of all, for ever, and tells each number that is stored.
func count(s *bolt.Store, worker int) error {
	do := s.Update
	if worker%2 == 0 {
		do = s.Share
	}
	for {
		var n uint64
		if err := do(context.Background(), func(tx store.Tx) (err error) {
			n, err = addOne(tx, worker)
			return err
		}); err != nil {
			return err
		}
		if _, err := fmt.Printf("%d %d\n", worker, n); err != nil {
			return err
		}
	}
}

// addOne writes the worker's next number under two keys, and the sum; and one of many records, or it removes one.
func addOne(tx store.Tx, worker int) (uint64, error) {
	n, err := numberAt(tx, first(worker))
	if err != nil {
		return 0, err
	}
	sum, err := numberAt(tx, "sum")
	if err != nil {
		return 0, err
	}
	n++
	text := binary.BigEndian.AppendUint64(nil, n)
	record := fmt.Appendf(nil, "record %d %d", worker, n%50)
	return n, errors.Join(
		tx.Put([]byte(first(worker)), text),
		tx.Put([]byte(last(worker)), append(text, make([]byte, n*97%800)...)),
		tx.Put([]byte("sum"), binary.BigEndian.AppendUint64(nil, sum+1)),
		tx.Put(record, text),
		tx.Delete(fmt.Appendf(nil, "record %d %d", worker, (n+25)%50)))
}

func first(worker int) string { return fmt.Sprintf("a%d", worker) }
func last(worker int) string  { return fmt.Sprintf("z%d", worker) }

// numberAt reads the number under a key; there is 0 at first.
func numberAt(r store.Reader, key string) (uint64, error) {
	text, err := r.Get([]byte(key))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return binary.BigEndian.Uint64(text), nil
}

// numbers reads the number of each worker, and checks that no half of an update is there, and that the sum is right.
func numbers(r store.Reader) (all [workers]uint64, err error) {
	sum, err := numberAt(r, "sum")
	if err != nil {
		return all, err
	}
	for w := range workers {
		if all[w], err = numberAt(r, first(w)); err != nil {
			return all, err
		}
		other, err := numberAt(r, last(w))
		if err != nil || other != all[w] {
			return all, fmt.Errorf("worker %d: half of an update: %d and %d: %v", w, all[w], other, err)
		}
		if err := checkRecords(r, w, all[w]); err != nil {
			return all, err
		}
		sum -= all[w]
	}
	if sum != 0 {
		return all, fmt.Errorf("an update was made over what another changed: the sum differs by %d", int64(sum))
	}
	return all, nil
}

// checkRecords checks that exactly the records of the last 25 updates are there.
func checkRecords(r store.Reader, worker int, n uint64) error {
	found := uint64(0)
	for entry := range r.Scan(store.Range{Prefix: fmt.Appendf(nil, "record %d ", worker), Limit: 100}) {
		if entry.Err != nil {
			return entry.Err
		}
		if at := binary.BigEndian.Uint64(entry.Value); at > n || at+25 <= n {
			return fmt.Errorf("worker %d: after %d there is the record of %d", worker, n, at)
		}
		found++
	}
	if found != min(n, 25) {
		return fmt.Errorf("worker %d: after %d there are %d records", worker, n, found)
	}
	return nil
}

// watch checks, for ever, that what it reads is whole and never goes back.
func watch(s *bolt.Store) error {
	var before [workers]uint64
	for {
		if err := s.View(context.Background(), func(r store.Reader) error {
			now, err := numbers(r)
			for w := range workers {
				if now[w] < before[w] {
					return fmt.Errorf("worker %d went back from %d to %d: %v", w, before[w], now[w], err)
				}
			}
			before = now
			return err
		}); err != nil {
			return err
		}
	}
}

// killed runs a child until it has told so many numbers, kills it, and returns the last number that each worker told.
func killed(t *testing.T, path string, lines int) (told [workers]uint64) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	child := exec.Command(self)
	child.Env = append(os.Environ(), victim+"="+path)
	child.Stderr = os.Stderr
	_, err = child.StdinPipe() // open until this process ends
	require.NoError(t, err)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	if lines == 0 {
		require.NoError(t, child.Process.Kill())
	}
	reader := bufio.NewReader(out)
	for n := 1; ; n++ {
		line, err := reader.ReadString('\n')
		if err != nil {
			break // what was told before the kill has been read
		}
		var worker int
		var number uint64
		_, err = fmt.Sscanf(line, "%d %d\n", &worker, &number)
		require.NoError(t, err, line)
		told[worker] = number
		if n == lines {
			require.NoError(t, child.Process.Kill())
		}
	}
	require.Error(t, child.Wait(), "it was killed")
	return told
}

// A child that updates and reads from several goroutines is killed, again and again on one file. What it was told to be
// stored is there, nothing half is, and each worker has at most one update more than it
// could tell before each kill.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	kills := 10
	if n, err := strconv.Atoi(os.Getenv("TOLLGATE_KILLS")); err == nil {
		kills = n
	}
	path := filepath.Join(t.TempDir(), "store.db")
	var before [workers]uint64
	recovered := 0
	for range kills {
		told, children := killed(t, path, rand.IntN(4)*rand.IntN(100)), uint64(1)
		if _, err := os.Stat(path + ".log1"); err == nil {
			recovered++
		}
		if rand.IntN(3) == 0 {
			told = merge(told, killed(t, path, 0)) // while it recovers, or sooner
			children++
		}
		before = judge(t, path, merge(told, before), children)
	}
	t.Logf("%d kills, %d with a log to recover, %v updates", kills, recovered, before)
	require.NotZero(t, recovered)
	requireJudged(t, path, before)
}

// merge returns the later number of each worker.
func merge(a, b [workers]uint64) (later [workers]uint64) {
	for w := range workers {
		later[w] = max(a[w], b[w])
	}
	return later
}

// judge compares what is in the file with what was told, and returns the numbers in the file.
func judge(t *testing.T, path string, told [workers]uint64, children uint64) (found [workers]uint64) {
	t.Helper()
	s, err := bolt.Open(path, fewBatches)
	require.NoError(t, err)
	var fault error
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		found, fault = numbers(r)
		return nil
	}))
	require.NoError(t, fault)
	require.NoError(t, s.Close())
	for w := range workers {
		require.GreaterOrEqual(t, found[w], told[w], "worker %d lost an update", w)
		require.LessOrEqual(t, found[w], told[w]+children, "worker %d has an update that it did not make", w)
	}
	return found
}

// requireJudged plants faults in the file, which the judge has to find.
func requireJudged(t *testing.T, path string, found [workers]uint64) {
	t.Helper()
	s, err := bolt.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	errPlanted := errors.New("rolled back")
	for name, plant := range map[string]func(tx store.Tx) error{
		"half an update": func(tx store.Tx) error {
			return tx.Put([]byte(first(1)), binary.BigEndian.AppendUint64(nil, found[1]+1))
		},
		"a lost sum": func(tx store.Tx) error { return tx.Put([]byte("sum"), make([]byte, 8)) },
		"a record that came back": func(tx store.Tx) error {
			return tx.Put([]byte("record 1 x"), binary.BigEndian.AppendUint64(nil, found[1]))
		},
	} {
		require.ErrorIs(t, s.Update(t.Context(), func(tx store.Tx) error {
			require.NoError(t, plant(tx))
			_, err := numbers(tx)
			require.Error(t, err, name)
			return errPlanted
		}), errPlanted)
	}
}
