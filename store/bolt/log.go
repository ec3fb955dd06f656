package bolt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store/bolt/internal/wal"
)

// logNames are the two logs of a file. One takes batches; what the other has is on its way into the file, or there.
func logNames(path string) [2]string { return [2]string{path + ".log1", path + ".log2"} }

// reach is more than the batches that one log can have: each has 32 bytes or more, and a log that has LogSize takes no
// further one. The other log begins so far behind the first of them, and is ready before this one ends.
const reach = maxLogSize / 16

// settling is the log that does not take batches: it is on its way into the file, or empty and ready.
type settling struct {
	log     *wal.Log
	content written
	done    chan struct{} // closed when the file has it and it is ready, or neither will be
	err     error         // why not; set before done is closed
}

// ready reports whether the log can take batches.
func (s *settling) ready() bool {
	select {
	case <-s.done:
		return s.err == nil
	default:
		return false
	}
}

// awaitLog waits until there is a log for a batch: when one is full, until the other is ready.
func (s *Store) awaitLog(ctx context.Context) error {
	if s.log == nil || s.log.Size() < s.logSize {
		return nil
	}
	return s.awaitOther(ctx)
}

// awaitOther waits until the log that is not written to is ready. So the logs, and the memory for what lies over the
// file, have a bound.
func (s *Store) awaitOther(ctx context.Context) error {
	select {
	case <-s.other.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// prepareLog makes a log ready for a batch: it begins the first one, or exchanges one that is full for the other.
func (s *Store) prepareLog() error {
	switch {
	case s.log == nil:
		return s.beginLogs()
	case s.log.Size() >= s.logSize:
		return s.exchangeLog()
	}
	return nil
}

// beginLogs makes the logs for the first batch since Open. The file is told that there is one before it takes a batch,
// so that a file that comes without its log is noticed.
//
// The logs get a new id: another copy of the file, from which this one parts now, has no use for them, nor this one for
// logs of before.
func (s *Store) beginLogs() (err error) {
	rand.Read(s.status.id[:]) //nolint:errcheck // never returns an error
	first := s.status.settled + 1
	if s.log, err = s.disk.Create(logNames(s.path)[0], s.status.id, first); err != nil {
		return err
	}
	other, err := s.disk.Create(logNames(s.path)[1], s.status.id, first+reach)
	if err != nil {
		return err
	}
	s.other = &settling{log: other, done: make(chan struct{})}
	close(s.other.done)
	if err := s.disk.Folder(filepath.Dir(s.path)); err != nil {
		return err
	}
	s.status.logged = true
	return s.db.Update(s.status.put)
}

// exchangeLog ends the log and goes on with the other one, for which the caller has waited.
func (s *Store) exchangeLog() error {
	if s.other.err != nil {
		return s.other.err
	}
	if err := s.log.End(&wal.Batch{}, s.other.log.Next()); err != nil {
		return err
	}
	s.exchange()
	return nil
}

// flush writes the group's batch into the log. One that fills the log ends it too, if the other one is ready, so that
// the exchange takes no flush of its own.
func (s *Store) flush() (ended bool, err error) {
	if s.log.Size()+int64(s.batch.Size()) >= s.logSize && s.other.ready() {
		return true, s.log.End(&s.batch, s.other.log.Next())
	}
	return false, s.log.Append(&s.batch)
}

// exchange gives the log that has ended to a goroutine that settles it, and goes on with the other one.
func (s *Store) exchange() {
	s.exchangeLayers(s.log.Size())
	full := &settling{log: s.log, content: s.logged, done: make(chan struct{})}
	s.log, s.logged, s.other = s.other.log, s.spareMap(), full
	s.status.settled = s.log.Next() - 1
	go s.settle(full, s.status)
}

// Of a log that had one huge batch no more memory is kept than for so many writes, and so many bytes of them.
const (
	keptWrites = 100_000
	keptRoom   = 16 << 20
)

// spareMap returns an empty map, as large as the last one that is settled, unless that is huge.
func (s *Store) spareMap() written {
	if s.other.content == nil || len(s.other.content) > keptWrites {
		return written{}
	}
	clear(s.other.content)
	return s.other.content
}

// settle brings what a full log has into the file, beside those who write to the other log, and begins it again.
func (s *Store) settle(full *settling, after status) {
	defer close(full.done)
	if full.err = s.toFile(full.content, after); full.err == nil {
		full.err = full.log.Restart(after.id, after.settled+1+reach)
	}
	if full.err != nil {
		s.gate.Shut(full.err)
	}
}

// toFile brings writes into the file, in one transaction with what the file knows of logs.
func (s *Store) toFile(content written, after status) error {
	err := guard(func() error {
		return s.db.Update(func(tx *bbolt.Tx) (err error) {
			if s.room, err = content.putInto(tx.Bucket(bucketName), s.room[:0]); err != nil {
				return err
			}
			return after.put(tx)
		})
	})
	if cap(s.room) > keptRoom {
		s.room = nil
	}
	if err != nil {
		return fmt.Errorf("the file did not take what the log has; nothing is lost, and the next Open tries again: %w", err)
	}
	s.flushes.Add(1)
	return nil
}

// settleAll brings everything into the file, which then needs no log, and removes the logs. A store that has failed
// leaves them for the next Open.
func (s *Store) settleAll() error {
	if s.log == nil {
		return nil
	}
	err := s.log.Close()
	s.status.settled, s.status.logged = s.log.Next()-1, false
	s.log = nil
	if s.other != nil {
		<-s.other.done
		err = errors.Join(err, s.other.log.Close(), s.other.err)
	}
	if s.broken != nil || err != nil {
		return err
	}
	if err := s.toFile(s.logged, s.status); err != nil {
		return err
	}
	return removeLogs(s.path)
}

// removeLogs removes the logs of a file that does not need them.
func removeLogs(path string) error {
	for _, name := range logNames(path) {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return flushFolder(filepath.Dir(path))
}
