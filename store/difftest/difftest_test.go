package difftest_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/difftest"
	"github.com/tollgatepay/gateway/store/memory"
)

// lists is how many random lists go test compares; with TOLLGATE_SHARE=20 it is a twentieth.
const lists = 2000

func share() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("TOLLGATE_SHARE"), 10, 16); err == nil && n > 0 {
		return n
	}
	return 1
}

// small lets logs be exchanged in every list.
func small(o *bolt.Options) { o.LogSize = 4 << 10 }

// onFile is bolt on a file in a folder that is fast to write, where the system has one: the test compares answers,
// not what survives a loss of power.
func onFile(t testing.TB) *difftest.Subject {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "difftest")
	if err != nil {
		folder = t.TempDir()
	}
	path := filepath.Join(folder, "store.db")
	opened, err := bolt.Open(path, small)
	require.NoError(t, err)
	s := &difftest.Subject{Name: "bolt", Store: opened, Reopen: func(old store.Store) (store.Store, error) {
		if err := old.Close(); err != nil {
			return nil, err
		}
		return bolt.Open(path, small)
	}}
	t.Cleanup(func() {
		require.NoError(t, s.Store.Close())
		require.NoError(t, os.RemoveAll(folder))
	})
	return s
}

// TestSameStores: the same lists give the same answers on memory and on bolt.
func TestSameStores(t *testing.T) {
	t.Parallel()
	workers := uint64(min(4, runtime.GOMAXPROCS(0)))
	var same atomic.Int64
	t.Cleanup(func() { t.Logf("stores: lists=%d on=memory,bolt", same.Load()) }) // when all parts have ended
	for w := range workers {
		t.Run(fmt.Sprintf("part %d", w), func(t *testing.T) {
			t.Parallel()
			file := onFile(t)
			for seed := w; seed < lists/share(); seed += workers {
				require.NoError(t, file.Empty(t.Context()))
				err := difftest.Compare(t.Context(), difftest.Random(seed), &difftest.Subject{Name: "memory", Store: memory.New()},
					file)
				require.NoError(t, err, "difftest.Random(%d)", seed)
				same.Add(1)
			}
		})
	}
}

// FuzzSameStores compares stores on lists that the fuzzer writes.
func FuzzSameStores(f *testing.F) {
	f.Add([]byte("\x00\x03\x07\x05\x00\x02\x04\x04"))
	f.Add(bytes.Repeat([]byte{7, 3, 9, 200, 31}, 40))
	f.Add(bytes.Repeat([]byte{0, 12, 11, 5, 2, 2, 3, 8, 6, 9, 1, 4}, 30))
	file := onFile(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, file.Empty(t.Context()))
		err := difftest.Compare(t.Context(), difftest.Parse(data), &difftest.Subject{Name: "memory", Store: memory.New()},
			file)
		require.NoError(t, err)
	})
}

// TestListsAreRich: every part of a list occurs. Without this the comparison may compare nothing.
func TestListsAreRich(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(300) {
		for _, step := range difftest.Random(seed) {
			seen[fmt.Sprintf("kind %d", step.Kind)]++
			seen[fmt.Sprintf("end %d", step.End)]++
			for _, op := range step.Ops {
				seen[fmt.Sprintf("verb %d", op.Verb)]++
				seen[fmt.Sprintf("limit %d", min(op.Range.Limit, 7))]++
				seen[fmt.Sprintf("reverse %t, from %t", op.Range.Reverse, len(op.Range.From) > 0)]++
			}
		}
	}
	require.Len(t, seen, 4+4+6+8+4, seen)
	for what, times := range seen {
		require.Greater(t, times, 20, what)
	}
}

// flawed is a store with one defect.
type flawed struct {
	store.Store
	flaw string
}

func (f flawed) View(ctx context.Context, fn func(store.Reader) error) error {
	return f.Store.View(ctx, func(r store.Reader) error { return fn(flawedReader{r, f.flaw}) })
}

func (f flawed) Update(ctx context.Context, fn func(store.Tx) error) error {
	if f.flaw == "a failed update is kept" {
		var own error
		err := f.Store.Update(ctx, func(tx store.Tx) error { own = fn(tx); return nil })
		if err == nil {
			err = own
		}
		return err
	}
	return f.Store.Update(ctx, func(tx store.Tx) error { return fn(flawedTx{flawedReader{tx, f.flaw}, tx}) })
}

type flawedReader struct {
	store.Reader
	flaw string
}

func (r flawedReader) Get(key []byte) ([]byte, error) {
	value, err := r.Reader.Get(key)
	if r.flaw == "an empty value is nil" && len(value) == 0 {
		return nil, err
	}
	return value, err
}

func (r flawedReader) Scan(rg store.Range) iter.Seq[store.Entry] {
	switch r.flaw {
	case "a reverse scan leaves its start out":
		return r.skipping(rg)
	case "a limit is exceeded by one":
		if rg.Limit > 0 {
			rg.Limit++
		}
	case "a prefix of 0xFF finds nothing":
		if bytes.Equal(rg.Prefix, []byte{0xFF, 0xFF}) {
			rg.Prefix = rg.Prefix[:1]
		}
	}
	return r.Reader.Scan(rg)
}

func (r flawedReader) skipping(rg store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		for e := range r.Reader.Scan(rg) {
			if rg.Reverse && bytes.Equal(e.Key, rg.From) {
				continue
			}
			if !yield(e) {
				return
			}
		}
	}
}

type flawedTx struct {
	flawedReader
	tx store.Tx
}

func (t flawedTx) Put(key, value []byte) error { return t.tx.Put(key, value) }

func (t flawedTx) Insert(key, value []byte) error {
	if t.flaw == "an insert replaces" {
		return t.tx.Put(key, value)
	}
	return t.tx.Insert(key, value)
}

func (t flawedTx) Delete(key []byte) error {
	if _, err := t.tx.Get(key); t.flaw == "deleting an absent key is a fault" && err != nil {
		return err
	}
	return t.tx.Delete(key)
}

// TestFindsPlantedDefects: the comparison finds defects planted in a wrapper, each within the lists of go test.
func TestFindsPlantedDefects(t *testing.T) {
	t.Parallel()
	for _, flaw := range []string{
		"a failed update is kept", "an empty value is nil", "a reverse scan leaves its start out", "a limit is exceeded by one",
		"a prefix of 0xFF finds nothing", "an insert replaces", "deleting an absent key is a fault",
	} {
		t.Run(flaw, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(lists) {
				err := difftest.Compare(t.Context(), difftest.Random(seed), &difftest.Subject{Name: "memory", Store: memory.New()},
					&difftest.Subject{Name: "flawed", Store: flawed{memory.New(), flaw}})
				if err != nil {
					t.Logf("found by list %d: %v", seed, err)
					return
				}
			}
			t.Fatal("never found")
		})
	}
}
