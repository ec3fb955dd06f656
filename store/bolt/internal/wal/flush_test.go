package wal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// What a log has told to be stored is in what its last flush has put on the disk. A loss of power leaves no more.
func TestNothingIsToldBeforeItsFlush(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	var disk []byte
	log, err := Disk{Open: os.OpenFile, Flush: func(f *os.File) (err error) {
		disk, err = os.ReadFile(f.Name())
		return err
	}}.Create(path, ID{1}, 1)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	onDisk := func() *Contents {
		c, err := Parse(disk)
		require.NoError(t, err)
		return c
	}
	require.Equal(t, uint64(1), onDisk().First, "a new log")
	for n := range 100 {
		batch := &Batch{}
		batch.Add(store.NewPair([]byte("k"), make([]byte, 100*n)))
		require.NoError(t, log.Append(batch))
		require.Len(t, onDisk().Batches, n+1, "a batch")
	}
	last := &Batch{}
	last.Add(store.NewPair([]byte("k"), []byte("v")))
	require.NoError(t, log.End(last, 500))
	require.Len(t, onDisk().Batches, 101, "the last batch")
	require.True(t, onDisk().Ended, "the end")
	require.NoError(t, log.Restart(ID{1}, 500))
	require.Equal(t, uint64(500), onDisk().First, "a log that was begun again")
}

// A flush that fails is told, and the batch does not count.
func TestFlushFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	var fail bool
	disk := Disk{Open: os.OpenFile, Flush: func(*os.File) error {
		if fail {
			return broken
		}
		return nil
	}}
	log, err := disk.Create(filepath.Join(t.TempDir(), "log"), ID{1}, 1)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, log.Close()) })
	fail = true
	batch := &Batch{}
	batch.Add(store.NewPair([]byte("k"), []byte("v")))
	require.ErrorIs(t, log.Append(batch), broken)
	require.Equal(t, uint64(1), log.Next())
	require.ErrorIs(t, log.End(&Batch{}, 9), broken)
	require.ErrorIs(t, log.Restart(ID{1}, 9), broken)
	_, err = disk.Create(filepath.Join(t.TempDir(), "log"), ID{1}, 1)
	require.ErrorIs(t, err, broken)
}

// An end whose checksum is right and whose number goes back was written by a program that is wrong.
func TestEndThatGoesBack(t *testing.T) {
	t.Parallel()
	for next, wrong := range map[uint64]bool{0: true, 6: true, 7: true, 8: false} {
		path := filepath.Join(t.TempDir(), "log")
		log, err := Disk{Open: os.OpenFile, Flush: Flush}.Create(path, ID{1}, 7)
		require.NoError(t, err)
		batch := &Batch{}
		batch.end(next)
		require.NoError(t, log.Append(batch))
		require.NoError(t, log.Close())
		if _, err = Read(path); !wrong {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, ErrDamaged)
		require.ErrorContains(t, err, fmt.Sprintf("batch 7: batch %d is said to follow it", next))
	}
}
