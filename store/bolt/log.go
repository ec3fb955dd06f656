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

// settling is a log on its way into the file.
type settling struct {
	log     *wal.Log
	content written
	done    chan struct{} // closed when the file has it, or will not
	err     error         // why it will not; set before done is closed
}

// awaitLog waits until there is a log for a batch: when one is full, until the other is settled.
func (s *Store) awaitLog(ctx context.Context) error {
	if s.log == nil || s.log.Size() < s.logSize {
		return nil
	}
	return s.awaitSpare(ctx)
}

// awaitSpare waits until the log that is not written to is settled. So the logs, and the memory for what lies over the
// file, have a bound.
func (s *Store) awaitSpare(ctx context.Context) error {
	if s.other == nil {
		return nil
	}
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
		return s.beginLog()
	case s.log.Size() >= s.logSize:
		return s.exchangeLog()
	}
	return nil
}

// beginLog makes the first log since Open. The file is told that there is one before it takes a batch, so that a file
// that comes without its log is noticed.
//
// The logs get a new id: another copy of the file, from which this one parts now, has no use for them, nor this one for
// logs of before.
func (s *Store) beginLog() (err error) {
	rand.Read(s.status.id[:]) //nolint:errcheck // never returns an error
	if s.log, err = s.createLog(0, s.status.settled+1); err != nil {
		return err
	}
	s.status.logged = true
	return s.db.Update(s.status.put)
}

func (s *Store) createLog(i int, first uint64) (*wal.Log, error) {
	log, err := s.disk.Create(logNames(s.path)[i], s.status.id, first)
	if err != nil {
		return nil, err
	}
	if err := flushFolder(filepath.Dir(s.path)); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return log, nil
}

// exchangeLog gives the full log to a goroutine that settles it, and goes on with the other one.
func (s *Store) exchangeLog() error {
	other, err := s.spareLog(s.log.Next() + 1)
	if err != nil {
		return err
	}
	if err := s.log.End(); err != nil {
		return errors.Join(err, other.Close())
	}
	s.exchangeLayers(s.log.Size())
	content := s.logged
	s.logged = s.spareMap()
	s.other = &settling{log: s.log, content: content, done: make(chan struct{})}
	s.log = other
	s.status.settled = other.Next() - 1
	go s.settle(s.other, s.status)
	return nil
}

// spareLog returns a log without batches, whose first one gets a number.
func (s *Store) spareLog(first uint64) (*wal.Log, error) {
	if s.other == nil {
		return s.createLog(1, first)
	}
	<-s.other.done
	if s.other.err != nil {
		return nil, s.other.err
	}
	return s.other.log, s.other.log.Restart(s.status.id, first)
}

// Of a log that had one huge batch no more memory is kept than for so many writes, and so many bytes of them.
const (
	keptWrites = 100_000
	keptRoom   = 16 << 20
)

// spareMap returns an empty map, as large as the last one that is settled, unless that is huge.
func (s *Store) spareMap() written {
	if s.other == nil || len(s.other.content) > keptWrites {
		return written{}
	}
	clear(s.other.content)
	return s.other.content
}

// settle brings what a full log has into the file, beside those who write to the other log.
func (s *Store) settle(full *settling, after status) {
	defer close(full.done)
	if full.err = s.toFile(full.content, after); full.err != nil {
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
