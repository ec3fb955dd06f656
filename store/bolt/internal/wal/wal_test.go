package wal_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt/internal/wal"
)

var (
	id   = wal.ID([]byte("sixteen letters!"))
	disk = wal.Disk{Open: os.OpenFile, Flush: wal.Flush}
)

// batchOf returns a batch and its writes: small and large values, and a removal.
func batchOf(n int) (*wal.Batch, []store.Pair) {
	writes := []store.Pair{
		store.NewPair(fmt.Appendf(nil, "payment %d", n), bytes.Repeat([]byte{byte(n)}, n*37%5000)),
		store.NewPair([]byte("gone"), nil),
	}
	batch := &wal.Batch{}
	for _, pair := range writes[:1+n%2] {
		batch.Add(pair)
	}
	return batch, writes[:1+n%2]
}

// logged returns a log with so many batches, the first of which has a number, and the file's path.
func logged(t *testing.T, first uint64, count int) (*wal.Log, string, [][]store.Pair) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	log, err := disk.Create(path, id, first)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	return log, path, appended(t, log, count)
}

func appended(t *testing.T, log *wal.Log, count int) (all [][]store.Pair) {
	t.Helper()
	for range count {
		batch, writes := batchOf(int(log.Next()))
		require.NoError(t, log.Append(batch))
		all = append(all, writes)
	}
	return all
}

func TestLogIsReadBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		first uint64
		count int
	}{
		{"no batch", 1, 0},
		{"one", 1, 1},
		{"many, over several rooms", 77, 300},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			log, path, want := logged(t, c.first, c.count)
			got, err := wal.Read(path)
			require.NoError(t, err)
			require.Equal(t, id, got.ID)
			require.Equal(t, c.first, got.First)
			require.Equal(t, want, got.Batches)
			require.Equal(t, log.Next(), got.Next)
		})
	}
}

func TestBatchIsUsedAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	log, err := disk.Create(path, id, 1)
	require.NoError(t, err)
	var batch wal.Batch
	var want [][]store.Pair
	for n := range 9 {
		pair := store.NewPair([]byte{byte(n + 1)}, make([]byte, 100*(9-n)))
		batch.Add(pair)
		require.NoError(t, log.Append(&batch))
		batch.Reset(500)
		require.Zero(t, batch.Size())
		want = append(want, []store.Pair{pair})
	}
	require.NoError(t, log.Close())
	got, err := wal.Read(path)
	require.NoError(t, err)
	require.Equal(t, want, got.Batches)
}

// A log that has ended says so, and what was there before it was begun again is not read behind its end.
func TestEndOfALog(t *testing.T) {
	t.Parallel()
	log, path, _ := logged(t, 1, 30)
	require.NoError(t, log.Restart(id, 40))
	want := appended(t, log, 3)
	require.NoError(t, log.End(&wal.Batch{}, 44))
	got, err := wal.Read(path)
	require.NoError(t, err)
	require.True(t, got.Ended)
	require.Equal(t, want, got.Batches)
	require.Equal(t, uint64(44), got.Next)
	require.NoError(t, log.Restart(id, 50))
	got, err = wal.Read(path)
	require.NoError(t, err)
	require.False(t, got.Ended)
}

// withHead returns where a log ends in its file.
func withHead(log *wal.Log) int { return 64 + int(log.Size()) }

// A log ends with its last batch, or behind it.
func TestEndComesWithABatch(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]bool{"with a batch": true, "alone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, path, want := logged(t, 1, 3)
			last := &wal.Batch{}
			if with {
				var writes []store.Pair
				last, writes = batchOf(4)
				want = append(want, writes)
			}
			require.NoError(t, log.End(last, 1000))
			late, _ := batchOf(9)
			require.ErrorContains(t, log.Append(late), "takes no batch")
			got, err := wal.Read(path)
			require.NoError(t, err)
			require.True(t, got.Ended)
			require.Equal(t, want, got.Batches)
			require.Equal(t, uint64(1000), got.Next)
		})
	}
}

// A log goes on at a later number.
func TestEndGoesOn(t *testing.T) {
	t.Parallel()
	log, path, want := logged(t, 7, 2)
	for _, next := range []uint64{0, 8, 9} {
		require.ErrorContains(t, log.End(&wal.Batch{}, next), "batch 9 cannot be followed by batch")
	}
	got, err := wal.Read(path)
	require.NoError(t, err)
	require.Equal(t, want, got.Batches)
	require.False(t, got.Ended)
}

// Earlier versions ended a log with a batch of nothing: the next one has the number that follows.
func TestEndOfEarlierVersions(t *testing.T) {
	t.Parallel()
	log, path, want := logged(t, 7, 2)
	require.NoError(t, log.Append(&wal.Batch{}))
	got, err := wal.Read(path)
	require.NoError(t, err)
	require.True(t, got.Ended)
	require.Equal(t, want, got.Batches)
	require.Equal(t, uint64(10), got.Next)
}

// A log that was begun again has none of its former batches, wherever the new ones end.
func TestRestartForgetsWhatWas(t *testing.T) {
	t.Parallel()
	log, path, _ := logged(t, 1, 100)
	for _, count := range []int{0, 1, 7, 30} {
		first := log.Next() + 5
		require.NoError(t, log.Restart(id, first))
		want := appended(t, log, count)
		got, err := wal.Read(path)
		require.NoError(t, err)
		require.Equal(t, first, got.First)
		require.Equal(t, want, got.Batches)
	}
}

func TestNoLog(t *testing.T) {
	t.Parallel()
	got, err := wal.Read(filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	require.Nil(t, got)
	for name, text := range map[string][]byte{
		"empty": {}, "shorter than a head": make([]byte, 63), "zeros alone": make([]byte, 1<<16),
	} {
		got, err := wal.Parse(text)
		require.NoError(t, err, name)
		require.Nil(t, got, name)
	}
}

func TestCreateTakesNoFileOfAnother(t *testing.T) {
	t.Parallel()
	_, path, _ := logged(t, 1, 1)
	_, err := disk.Create(path, id, 1)
	require.ErrorIs(t, err, os.ErrExist)
}

// lasts are ways to write the last batch of a log.
var lasts = map[string]func(t *testing.T, log *wal.Log){
	"a batch": func(t *testing.T, log *wal.Log) { appended(t, log, 1) },
	"a batch with the end": func(t *testing.T, log *wal.Log) {
		batch, _ := batchOf(int(log.Next()))
		require.NoError(t, log.End(batch, 77))
	},
	"the end": func(t *testing.T, log *wal.Log) { require.NoError(t, log.End(&wal.Batch{}, 77)) },
}

// The last batch is cut at every byte, and each of its bytes is changed: it is left out, with the end that came with
// it, and those before it are there.
func TestTornBatchIsLeftOut(t *testing.T) {
	t.Parallel()
	for name, last := range lasts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, path, want := logged(t, 1, 5)
			whole := withHead(log)
			last(t, log)
			file, err := os.ReadFile(path)
			require.NoError(t, err)
			file = file[:withHead(log)]
			check := func(text []byte) {
				got, err := wal.Parse(text)
				require.NoError(t, err)
				require.Equal(t, want, got.Batches)
				require.False(t, got.Ended)
			}
			end := len(bytes.TrimRight(file, "\x00"))
			for at := whole; at < end; at++ {
				check(file[:at])
				torn := bytes.Clone(file)
				clear(torn[at:])
				if !bytes.Equal(torn, file) {
					check(torn)
				}
				changed := bytes.Clone(file)
				changed[at] ^= 0x10
				check(changed)
			}
		})
	}
}

// What lies before the last batch cannot be torn: a change of any of its bytes is found.
func TestDamageIsFound(t *testing.T) {
	t.Parallel()
	for name, last := range lasts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, path, _ := logged(t, 1, 4)
			end := withHead(log)
			last(t, log)
			file, err := os.ReadFile(path)
			require.NoError(t, err)
			want, err := wal.Parse(file)
			require.NoError(t, err)
			unused := map[int]bool{60: true, 61: true, 62: true, 63: true} // of the head
			for at := range end {
				if unused[at] {
					continue
				}
				changed := bytes.Clone(file)
				changed[at] ^= 0x10
				got, err := wal.Parse(changed)
				if err == nil { // the zeros between batches mean nothing
					require.Equal(t, want, got, "byte %d", at)
					continue
				}
				require.ErrorIs(t, err, wal.ErrDamaged, "byte %d", at)
			}
		})
	}
}

// A merchant who knows the number of the next batch and the form of the log can write a whole batch into a record, but
// not with the salt.
func TestForgedBatch(t *testing.T) {
	t.Parallel()
	other, otherPath, _ := logged(t, 3, 1)
	forged, err := os.ReadFile(otherPath)
	require.NoError(t, err)
	log, path, _ := logged(t, 1, 2)
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	copy(file[withHead(log):], forged[64:withHead(other)])
	got, err := wal.Parse(file)
	require.NoError(t, err)
	require.Len(t, got.Batches, 2)
}

// A batch whose checksum is right and whose writes or end are not was written by a program that is wrong.
func TestBatchOfNonsense(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		pair store.Pair
	}{
		{"a pair that is cut", "x"},
		{"a key that is cut", "\x00\x09x"},
		{"no key", "\x80\x00x"},
		{"an end without a number", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			log, path, _ := logged(t, 1, 1)
			batch := &wal.Batch{}
			batch.Add(c.pair)
			require.NoError(t, log.Append(batch))
			_, err := wal.Read(path)
			require.ErrorIs(t, err, wal.ErrDamaged)
		})
	}
}

// A file that once had a huge batch gets its usual size when it is begun again.
func TestLargeFileIsCut(t *testing.T) {
	t.Parallel()
	log, path, _ := logged(t, 1, 0)
	huge := &wal.Batch{}
	for n := range 70 {
		huge.Add(store.NewPair([]byte{byte(n + 1)}, make([]byte, store.MaxValue)))
	}
	require.NoError(t, log.Append(huge))
	got, err := wal.Read(path)
	require.NoError(t, err)
	require.Len(t, got.Batches[0], 70)
	require.NoError(t, log.Restart(id, 2))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.LessOrEqual(t, info.Size(), int64(64<<20))
	want := appended(t, log, 3)
	got, err = wal.Read(path)
	require.NoError(t, err)
	require.Equal(t, want, got.Batches)
}

// FuzzParse looks for files that make the reader panic or read what was not written.
func FuzzParse(f *testing.F) {
	path := filepath.Join(f.TempDir(), "log")
	log, err := disk.Create(path, id, 1)
	require.NoError(f, err)
	for n := range 3 {
		batch, _ := batchOf(n + 1)
		require.NoError(f, log.Append(batch))
	}
	last, _ := batchOf(4)
	require.NoError(f, log.End(last, 77))
	file, err := os.ReadFile(path)
	require.NoError(f, err)
	file = file[:withHead(log)]
	require.NoError(f, log.Close())
	want, err := wal.Parse(file)
	require.NoError(f, err)
	f.Add([]byte{1}, uint16(70))
	f.Add([]byte("tollgate log 001"), uint16(0))
	f.Add(binary.BigEndian.AppendUint64(nil, 1<<63), uint16(72))
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		f.Add([]byte{byte(random.Uint32())}, uint16(random.IntN(len(file))))
	}
	f.Fuzz(func(t *testing.T, patch []byte, at uint16) {
		text := bytes.Clone(file)
		copy(text[min(int(at), len(text)):], patch)
		got, err := wal.Parse(text)
		if err != nil || got == nil {
			return
		}
		for i, batch := range got.Batches {
			require.Equal(t, want.Batches[i], batch)
		}
		_, _ = wal.Parse(patch)
	})
}
