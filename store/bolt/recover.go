package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store/bolt/internal/wal"
)

// recoverLogs brings into the file what a process that was killed has left in its logs, and removes these.
func (s *Store) recoverLogs() error {
	err := s.db.View(func(tx *bbolt.Tx) (err error) {
		s.status, err = readStatus(tx)
		return err
	})
	if err != nil {
		return err
	}
	found, err := readLogs(s.path)
	if err != nil {
		return err
	}
	content, last, err := replay(found, s.status)
	if err != nil {
		return err
	}
	if s.status.logged || last > s.status.settled {
		s.status.settled, s.status.logged = last, false
		if err := s.toFile(content, s.status); err != nil {
			return err
		}
	}
	return removeLogs(s.path)
}

// readLogs returns the logs beside a file.
func readLogs(path string) (found []*wal.Contents, err error) {
	for _, name := range logNames(path) {
		if info, err := os.Stat(name); err == nil && readable(info) {
			return nil, tooOpen(name, info)
		}
		log, err := wal.Read(name)
		if err != nil {
			return nil, err
		}
		if log != nil {
			found = append(found, log)
		}
	}
	return found, nil
}

// Faults of logs that belong to no open file.
var (
	errMissing = errors.New("its log is missing")
	errForeign = errors.New("the log beside it belongs to another file, or to another copy of this one")
	errGap     = errors.New("between it and the log beside it batches are missing")
)

// replay returns what the logs have that the file does not have, and the number of the last batch. While a log is in
// use there is one that begins behind what the file has, and one that begins behind the end of that, if it has ended. A
// log that is ready begins no further ahead than one log can reach.
//
// A process that was killed in beginLogs leaves empty logs with an id that the file does not know.
func replay(logs []*wal.Contents, st status) (written, uint64, error) {
	logs = slices.DeleteFunc(logs, func(log *wal.Contents) bool { return log.ID != st.id && len(log.Batches) == 0 })
	for _, log := range logs {
		if log.ID != st.id {
			return nil, 0, errForeign
		}
	}
	content, last, more := written{}, st.settled, st.logged
	for {
		log := beginning(logs, last+1)
		if log == nil {
			if more {
				return nil, 0, errMissing
			}
			break
		}
		for _, batch := range log.Batches {
			for _, pair := range batch {
				content[pair.Key()] = pair
			}
		}
		if last, more = log.Next-1, log.Ended; !more {
			break
		}
	}
	for _, log := range logs {
		if len(log.Batches) > 0 && log.Next > last+1 || log.First > last+1+reach {
			return nil, 0, errGap
		}
	}
	return content, last, nil
}

// beginning returns the log whose first batch has a number, or nil.
func beginning(logs []*wal.Contents, first uint64) *wal.Contents {
	for _, log := range logs {
		if log.First == first {
			return log
		}
	}
	return nil
}

// AbandonLog makes a file usable whose log is lost or damaged, when no copy of the log is left: the file is then as it
// was when the last log was settled, and the payments since are missing, at most LogSize of writes and what was written
// meanwhile. The logs that are still there are kept under names that end with ".abandoned"; logs that were kept so
// before have to be moved away first (fs.ErrExist). No process may have the file open.
func AbandonLog(path string) error {
	if err := inspect(path); err != nil {
		return err
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout})
	if err != nil {
		return explain(path, err)
	}
	return errors.Join(abandonLog(db, path), db.Close())
}

func abandonLog(db *bbolt.DB, path string) error {
	if err := recognise(db, path); err != nil {
		return err
	}
	for _, name := range logNames(path) {
		if err := setAside(name); err != nil {
			return err
		}
	}
	if err := flushFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return endLog(db)
}

// setAside gives a log that is there the name under which it is kept.
func setAside(name string) error {
	kept := name + ".abandoned"
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Lstat(kept); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("bolt: %s is of an earlier time; move it away: %w", kept, fs.ErrExist), err)
	}
	return os.Rename(name, kept)
}

// endLog tells a file that no log belongs to it.
func endLog(db *bbolt.DB) error {
	return db.Update(func(tx *bbolt.Tx) error {
		st, err := readStatus(tx)
		if err != nil {
			return err
		}
		st.logged = false
		return st.put(tx)
	})
}
