package crash

import (
	"os"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// This file is about where gateways have their records. Tests of another store replace it (store/postgres, TestCrash).

// openRecords opens the store of a child.
func openRecords(file string) (store.Store, error) { return bolt.Open(file, logSize) }

// logSize gives one child after the other a log that a single batch fills, one of a few payments, and the usual one: so
// kills meet logs that are exchanged, waiting and written again.
func logSize(o *bolt.Options) {
	switch os.Getpid() % 3 {
	case 0:
		o.LogSize = 1
	case 1:
		o.LogSize = 16 << 10
	}
}

// checkFile checks every page of the bbolt file. No child may run.
func (w *world) checkFile() {
	w.t.Helper()
	db, err := bbolt.Open(w.child.file, 0o600, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	require.NoError(w.t, err)
	require.NoError(w.t, db.View(func(tx *bbolt.Tx) error {
		for fault := range tx.Check() {
			return fault
		}
		return nil
	}))
	require.NoError(w.t, db.Close())
}

// aboutRecords is what is to know about the records when a child does not come up: a file has nothing to tell.
func aboutRecords() string { return "" }

// others is what runs beside the gateway: nothing, since a file has no server and one user.
type others struct{}

// strike is what befalls the others in a cycle of kills.
func (others) strike(*world, int) {}

// expect is called before the clock moves.
func (others) expect(*world, time.Duration) {}

// quieten ends the others.
func (others) quieten(*world) {}

// struck is their figures.
func (others) struck() []string { return nil }
