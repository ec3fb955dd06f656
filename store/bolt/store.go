// Package bolt is the durable Store in one file, over go.etcd.io/bbolt, with a write-ahead log beside it.
//
// A commit is one batch at the end of a log and one flush, 0.1 to 5 ms by drive. Callers share it: each runs its
// function in turn over a write set of its own, adds the set to the open group when the function returned nil, and
// passes the turn on; what may run on any goroutine (Share), the caller who has the turn runs for those in line. A
// caller that finds no other waiting commits for all (committer.go). A single caller waits for no timer, and a function
// that fails does not affect its neighbours.
//
// What a log has lies in memory over the file, and readers see both as one. When a log is full, another one takes its
// place, and a goroutine brings what it has into the file in a single transaction (log.go): a record that was written
// four times meanwhile is written into the file once, and one that has gone again not at all. So the file alone is
// always a whole state of the store, a few megabytes of writes ago. Close brings everything into it and removes the
// logs; after a crash Open does (recover.go). The latest writes stay in memory when the file has them (snapshot.go).
//
// A backup of a running store is made by Backup; or by a snapshot of the file system, with file and logs of one moment:
// the logs belong to the file, and Open refuses it without them.
//
// A GOMAXPROCS above the number of cores can help durable rates, since a flush blocks a processor.
package bolt

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt/internal/wal"
	"github.com/tollgatepay/gateway/store/internal/gate"
	"github.com/tollgatepay/gateway/store/internal/tree"
	"github.com/tollgatepay/gateway/store/internal/turn"
)

// Store implements store.Store in a file. Make one with Open.
type Store struct {
	gate    gate.Gate
	db      *bbolt.DB
	line    turn.Line
	flushes atomic.Int64

	path    string
	disk    wal.Disk
	logSize int64
	keep    int64
	room    []byte // for what is brought into the file, by one at a time

	over atomic.Pointer[layers] // replaced by who has the turn

	// Guarded by the turn.
	open   *group    // the group that takes members
	batch  wal.Batch // what they have written
	edits  tree.Edit // the last group's
	log    *wal.Log  // takes batches; nil until the first one
	logged written   // what it has
	kept   kept      // what the recent layer has taken
	other  *settling // the other log; nil until there is one
	status status    // what the file knows of logs, or is about to
	broken error     // why the store refuses everything, after a failed commit
}

var _ store.Store = (*Store)(nil)

// View runs fn over the state of the last commit.
func (s *Store) View(ctx context.Context, fn func(store.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	snapshot, err := s.snapshot()
	if err != nil {
		return err
	}
	defer snapshot.release()
	r := &reader{snapshot: snapshot}
	defer r.End()
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

// Flushes returns how many commits have reached the disk since Open: fewer than updates when callers share commits. It
// counts those of the logs and those of the file.
func (s *Store) Flushes() int64 { return s.flushes.Load() }

// Close waits for running transactions, brings everything into the file, removes the logs and closes the file. It has
// to be called after a failed commit too, to release the file.
func (s *Store) Close() error {
	return s.gate.Close(func() error {
		err := s.settleAll()
		if err := errors.Join(err, s.db.Close()); err != nil && !errors.Is(err, berrors.ErrDatabaseNotOpen) {
			return fmt.Errorf("bolt: close: %w", err)
		}
		return nil
	})
}
