package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/postgres"
)

// newDatabase starts a PostgreSQL server and returns its URL. It is what the tests of store/postgres start, too.
func newDatabase(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "serve")
	compile := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./internal/cluster/serve")
	compile.Dir = "../../store/postgres"
	out, err := compile.CombinedOutput()
	require.NoError(t, err, string(out))
	run := exec.Command(program)
	input, err := run.StdinPipe()
	require.NoError(t, err)
	output, err := run.StdoutPipe()
	require.NoError(t, err)
	var faults strings.Builder
	run.Stderr = &faults
	require.NoError(t, run.Start())
	t.Cleanup(func() {
		require.NoError(t, input.Close())
		require.NoError(t, run.Wait(), faults.String())
	})
	url, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err, faults.String())
	return strings.TrimSpace(url)
}

// change changes a schema of a database that no server uses.
func change(t *testing.T, url, schema string, fn func(tx store.Tx) error) {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Config{URL: url, Schema: schema, Connections: 6})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), fn))
	require.NoError(t, s.Close())
}

// loseAcquirer leaves nothing in the schema of the acquirer, as a copy of the records alone has it.
func loseAcquirer(t *testing.T, url string) {
	change(t, url, acquirerSchema, func(tx store.Tx) error {
		var keys [][]byte
		for entry := range tx.Scan(store.Range{Limit: 1000}) {
			require.NoError(t, entry.Err)
			keys = append(keys, bytes.Clone(entry.Key))
		}
		for _, key := range keys {
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}

// moveSample puts the sample where the former version had it.
func moveSample(t *testing.T, url string) {
	var sample []byte
	change(t, url, recordsSchema, func(tx store.Tx) error {
		found, err := tx.Get(keySample)
		require.NoError(t, err)
		sample = bytes.Clone(found)
		return tx.Delete(keySample)
	})
	change(t, url, acquirerSchema, func(tx store.Tx) error { return tx.Put(keySample, sample) })
}

// refusedFor returns why a server does not start. One that does is ended.
func refusedFor(t *testing.T, args ...string) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	return run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), announced(cancel), io.Discard)
}

// announced is called when a server says its address.
type announced func()

// Write implements io.Writer.
func (a announced) Write(text []byte) (int, error) { a(); return len(text), nil }

// A database is served with its own keys alone, also one of which only the records were restored, and one of the former
// version, which had its sample beside them.
func TestKeysOfSharedDatabase(t *testing.T) {
	t.Parallel()
	url, folder := newDatabase(t), t.TempDir()
	right, other, missing :=
		filepath.Join(folder, "right"), filepath.Join(folder, "other"), filepath.Join(folder, "missing")
	_, err := keyfile.Open(other)
	require.NoError(t, err)
	base, stop := start(t, "-store", url, "-keys", right)
	p := newPayer(t)
	order := p.pay(p.buy(base, "mug", false), "05/38").url.Query().Get("order_id")
	p.wait(base, order, "sale success settled")
	stop()
	for _, c := range []struct {
		name   string
		happen func(t *testing.T, url string)
	}{
		{"as it was left", func(*testing.T, string) {}},
		{"the records alone", loseAcquirer},
		{"of the former version", moveSample},
		{"of the former version, the records alone", func(t *testing.T, url string) {
			moveSample(t, url)
			loseAcquirer(t, url)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.happen(t, url)
			require.ErrorContains(t, refusedFor(t, "-store", url, "-keys", missing), "put "+missing+" back")
			require.NoFileExists(t, missing)
			require.ErrorContains(t, refusedFor(t, "-store", url, "-keys", other),
				"the keys in "+other+" are not those of the database")
			base, stop := start(t, "-store", url, "-keys", right)
			require.Equal(t, "settled", status(t, base, order))
			stop()
		})
	}
}

// The keys of a file database are looked at, too.
func TestKeysOfAnotherFile(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "t.db")
	_, stop := start(t, "-store", "bolt:"+db)
	stop()
	right, err := os.ReadFile(db + ".keys")
	require.NoError(t, err)
	require.NoError(t, os.Remove(db+".keys"))
	_, err = keyfile.Open(db + ".keys")
	require.NoError(t, err)
	require.ErrorContains(t, refusedFor(t, "-store", "bolt:"+db),
		"are not those of the database: put the right file there")
	require.NoError(t, os.WriteFile(db+".keys", right, 0o600))
	_, stop = start(t, "-store", "bolt:"+db)
	stop()
}

// Of servers with different keys that find a new database, the first decides.
func TestSampleOfTheFirst(t *testing.T) {
	t.Parallel()
	db := memory.New()
	first, second := &kept{store: db, keys: newMemoryKeys()}, &kept{store: db, keys: newMemoryKeys()}
	require.NoError(t, first.opensSample(t.Context()))
	require.NoError(t, first.opensSample(t.Context()))
	err := second.opensSample(t.Context())
	require.ErrorIs(t, err, gateway.ErrKeyGone)
}
