// Package bolt is the durable Store in one file, over go.etcd.io/bbolt.
//
// bbolt writes and flushes once per transaction, about 0.2 to 5 ms by drive. So callers share a transaction: each
// runs its function in turn over a write set of its own, adds the set to the open group when the function returned
// nil, and passes the turn on; what may run on any goroutine (Share), the caller who has the turn runs for those in
// line. A caller that finds no other waiting commits for all (committer.go). A single caller waits for no timer, and a
// function that fails does not affect its neighbours.
//
// Keys that ascend in time are written about 2.5 times as fast as random ones. A GOMAXPROCS above the number of
// cores can help durable rates, since a flush blocks a processor. So can a GOGC of 400: a gateway on a file keeps few
// megabytes alive, and the garbage collector otherwise runs for every few of them.
package bolt

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/gate"
	"github.com/tollgatepay/gateway/store/internal/turn"
)

// Store implements store.Store in a file. Make one with Open.
type Store struct {
	gate    gate.Gate
	db      *bbolt.DB
	line    turn.Line
	flushes atomic.Int64

	// Guarded by the turn.
	open   *group // the group that takes members
	last   int    // members of the previous group
	arena  []byte // what the group's members write, until its commit
	broken error  // why the store refuses everything, after a failed commit
}

var _ store.Store = (*Store)(nil)

// View runs fn over the state of the last commit.
func (s *Store) View(ctx context.Context, fn func(store.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	tx, err := s.db.Begin(false)
	if err != nil {
		return fmt.Errorf("bolt: begin: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // of a read transaction: cannot fail
	bucket := tx.Bucket(bucketName)
	r := &reader{base: bucket, cursor: bucket.Cursor()}
	defer r.end()
	return fn(r)
}

// Update runs fn in turn with others and returns when the commit they share is on the disk. fn runs at
// most once, on the calling goroutine, and sees what those before it wrote. It should be quick: others
// wait for it.
//
// After a failed commit the error wraps store.ErrUnknownCommit for all who took part, and the store
// refuses everything that follows with an error that wraps store.ErrClosed and the cause: what the disk
// holds is known only after opening the file again.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	return s.write(ctx, fn, nil)
}

// Share implements store.Sharer: the caller who has the turn runs fn.
func (s *Store) Share(ctx context.Context, fn func(store.Tx) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	return s.write(ctx, fn, fn)
}

// write runs fn in a turn of the caller, or shared in that of another.
func (s *Store) write(ctx context.Context, fn, shared func(store.Tx) error) error {
	if mine, err := s.line.Wait(ctx, shared); !mine {
		return err
	}
	member, err := s.run(ctx, fn)
	if member == nil {
		return err
	}
	<-member.done
	return member.told(err)
}

// Flushes returns how many commits have reached the disk since Open: fewer than updates when callers share
// commits.
func (s *Store) Flushes() int64 { return s.flushes.Load() }

// Close waits for running transactions and closes the file. It has to be called after a failed commit too, to
// release the file.
func (s *Store) Close() error {
	return s.gate.Close(func() error {
		err := s.keepFreePages()
		if err := errors.Join(err, s.db.Close()); err != nil && !errors.Is(err, berrors.ErrDatabaseNotOpen) {
			return fmt.Errorf("bolt: close: %w", err)
		}
		return nil
	})
}

// keepFreePages writes the list of free pages, which commits leave out when it is long.
func (s *Store) keepFreePages() error {
	if s.broken != nil || s.flushes.Load() == 0 {
		return nil
	}
	s.db.NoFreelistSync = false
	tx, err := s.db.Begin(true)
	if err == nil {
		err = guard(tx.Commit)
	}
	if err != nil {
		return fmt.Errorf("nothing is lost, but the next Open reads the whole file: %w", err)
	}
	return nil
}
