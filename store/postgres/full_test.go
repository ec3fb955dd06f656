package postgres_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// smallDisk mounts a disk of so many bytes for a test, which needs Linux and its administrator.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tollgate-test", folder, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0755", size)); err != nil {
		t.Skipf("NOT TESTED: a full disk. A small one cannot be mounted here (%v); run as root with the right to mount", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(folder, 0)) })
	require.NoError(t, os.Chmod(filepath.Dir(folder), 0o755)) // the server is another user
	require.NoError(t, os.Chmod(filepath.Dir(filepath.Dir(folder)), 0o755))
	return folder
}

// TestDiskFull: while the server's disk is full, transactions fail or end unknown, and none is acknowledged in vain.
// When there is room again the store goes on, after a restart where the server has ended.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, 400<<20)
	server := newCluster(t, disk)
	require.NoError(t, server.Start(map[string]string{"max_wal_size": "64MB", "shared_buffers": "16MB"}))
	cfg := postgres.Config{URL: server.URL(), Connections: 8, Patience: 200 * time.Millisecond}
	one, err := postgres.Open(t.Context(), cfg)
	require.NoError(t, err)
	two, err := postgres.Open(t.Context(), cfg)
	require.NoError(t, err)
	c := newCrowd(t, one, two)
	c.progress()

	ballast, err := os.Create(filepath.Join(disk, "ballast"))
	require.NoError(t, err)
	_, err = io.Copy(ballast, rand.Reader)
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, ballast.Close())
	full := fillUp(t, one)
	t.Logf("the full disk was told as: %v", full)

	require.NoError(t, os.Remove(ballast.Name()))
	if !server.Running() {
		t.Log("the server has ended")
		require.NoError(t, server.Start(nil))
	}
	c.progress()
	unknown := c.end()
	t.Logf("acknowledged: %d, failed: %d, unknown: %d", c.total(), c.failed.Load(), unknown)
	require.NoError(t, errors.Join(one.Close(), two.Close()))
}

// fillUp writes until there is no room, and returns the error.
func fillUp(t *testing.T, s *postgres.Store) error {
	t.Helper()
	var written atomic.Int64
	for {
		value := make([]byte, 64<<10)
		_, _ = rand.Read(value)
		err := s.Update(context.Background(), func(tx store.Tx) error {
			return tx.Put(fmt.Appendf(nil, "big%d", written.Load()), value)
		})
		if err != nil {
			return err
		}
		require.Less(t, written.Add(1), int64(1<<13), "half a gigabyte on a full disk")
	}
}

// TestStatementTimeout: a commit that takes too long is ended by the server, certainly without effect, and the caller
// is told so.
func TestStatementTimeout(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
				Statement: 2 * time.Second, Patience: 10 * time.Second})
			require.NoError(t, err)
			execute(t, shared.URL(), fmt.Sprintf(`create function %[1]s.slow() returns trigger language plpgsql as
				$$ begin perform pg_sleep(60); return new; end $$;
				create trigger slow before insert on %[1]s.records for each row execute function %[1]s.slow()`, schema))
			err = way.update(t.Context(), s, increment("n"))
			require.ErrorContains(t, err, "statement timeout")
			require.NotErrorIs(t, err, store.ErrUnknownCommit)
			execute(t, shared.URL(), "drop trigger slow on "+schema+".records")
			require.Zero(t, numberIn(t, s, "n"))
			require.NoError(t, way.update(t.Context(), s, increment("n")))
			require.Equal(t, 1, numberIn(t, s, "n"))
			require.NoError(t, s.Close())
		})
	}
}
