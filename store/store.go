// Package store has the Store port, the records that all packages share, and typed access to them.
//
// A back end implements Store and nothing else: eight methods over bytes. To be faster it may offer Lender, Frugal,
// Sharer, Planner and Presumer in addition. Typed access, secondary indexes and record checks are written once, above
// the port (Table). Package storetest is the contract as a test suite: a back end that passes it can serve a gateway.
package store

import (
	"context"
	"errors"
	"iter"
)

// Faults that every back end reports. Compare with errors.Is.
var (
	// ErrNotFound: the key has no value.
	ErrNotFound = errors.New("store: not found")
	// ErrExists: Insert found a value under the key.
	ErrExists = errors.New("store: key exists")
	// ErrClosed: the store was closed, or closed itself after a failed sync.
	ErrClosed = errors.New("store: closed")
	// ErrUnknownCommit: the back end cannot tell whether the commit took effect. The caller reads its own record to
	// find out, and never simply repeats the call.
	ErrUnknownCommit = errors.New("store: outcome of the commit is unknown")
	// ErrScanOpen: a write was tried while a scan of the same transaction was open.
	ErrScanOpen = errors.New("store: write during an open scan; collect first, then write")
	// ErrDone: a Reader or Tx was used after the function it was handed to had returned.
	ErrDone = errors.New("store: transaction is over")
	// ErrPresumed: what a Presumer has answered from memory is not the present any more. The request runs again.
	ErrPresumed = errors.New("store: what was presumed has changed")
	// ErrKey and ErrValue: a key or a value outside the limits (CheckKey, CheckValue).
	ErrKey   = errors.New("store: a key has 1 to 1024 bytes")
	ErrValue = errors.New("store: a value has up to 1 MiB and is not nil")
)

// Store keeps bytes under keys, ordered by key. Implementations are safe for concurrent use.
//
// The contract, which storetest checks:
//   - Isolation is serializable, for scans and absent keys as well as for single values.
//   - Update is all-or-nothing: what fn wrote is stored when it returns nil, and nothing of it when it
//     returns an error or panics. fn's own error comes back unchanged (errors.Is), and a panic reaches
//     only the caller that passed fn.
//   - When Update returns nil the writes are durable, as far as the back end promises durability.
//   - fn may run more than once, that of a View too; ids, times and effects are made outside it, and what it returns by
//     other ways it sets anew each time.
//   - Calls are not nested: fn uses the Reader or Tx it was handed, and neither calls View, Update or
//     Close of the same store nor waits for a goroutine that does. That is a mistake of the caller, which
//     a back end need not notice: an Update inside an Update waits until its context ends, a Close waits
//     for ever, and what else happens is the back end's affair. Tests find it with storetest.Checked.
//   - A context cancelled before fn has returned stops the transaction, also while it waits for its
//     turn; the error is the context's.
//   - Keys are 1 to MaxKey bytes, values up to MaxValue bytes and not nil (CheckKey, CheckValue); bytes
//     handed over are copied, bytes returned belong to the caller.
type Store interface {
	// View runs fn over a consistent snapshot.
	View(ctx context.Context, fn func(Reader) error) error
	// Update runs fn as one serializable transaction and commits what it wrote.
	Update(ctx context.Context, fn func(Tx) error) error
	// Close waits for running transactions and releases everything. Later transactions return ErrClosed. A second
	// Close is no error.
	Close() error
}

// Reader reads one snapshot. It is valid only while the function that got it runs; after that every call returns
// ErrDone. Like a Tx it belongs to one goroutine.
type Reader interface {
	// Get returns the value under key, or ErrNotFound.
	Get(key []byte) ([]byte, error)
	// Scan yields the entries a Range selects, in key order. Within a Tx no writes are allowed while a
	// scan is open (ErrScanOpen): collect first, then write. A fault of the back end ends the scan with
	// an entry whose Err is set.
	Scan(r Range) iter.Seq[Entry]
}

// Tx reads and writes inside an Update. Reads see the transaction's own writes.
type Tx interface {
	Reader
	// Put stores value under key, replacing what was there.
	Put(key, value []byte) error
	// Insert stores value under key. When the key has a value it stores nothing and returns ErrExists.
	Insert(key, value []byte) error
	// Delete removes key; an absent key is no error.
	Delete(key []byte) error
}

// Entry is one key and its value. Err is set, alone, on the last entry of a scan that failed.
type Entry struct {
	Key, Value []byte
	Err        error
}
