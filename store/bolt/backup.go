package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// Backup writes a copy of the store into a new file, beside those who read and write. The copy is a store of its own,
// without a log: one state, with everything that was stored before the call. It is flushed when Backup returns. A file
// that is there already is not touched, and the error wraps fs.ErrExist.
func (s *Store) Backup(ctx context.Context, path string) (err error) {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("bolt: backup: %s: %w", path, fs.ErrExist)
	}
	if err := s.settleNow(ctx); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return fmt.Errorf("bolt: backup: %w", err)
	}
	defer func() { err = errors.Join(err, remove(draft.Name())) }()
	if err := errors.Join(s.copyTo(ctx, draft), draft.Close()); err != nil {
		return fmt.Errorf("bolt: backup: %w", err)
	}
	if err := complete(draft.Name()); err != nil {
		return fmt.Errorf("bolt: backup: %w", err)
	}
	if err := os.Link(draft.Name(), path); err != nil {
		return fmt.Errorf("bolt: backup: %w", err)
	}
	return flushFolder(filepath.Dir(path))
}

// settleNow brings everything that was stored before into the file, and waits for it.
func (s *Store) settleNow(ctx context.Context) error {
	if _, err := s.line.Wait(ctx, nil); err != nil {
		return err
	}
	full, err := s.exchangeNow(ctx)
	if full == nil || err != nil {
		return err
	}
	select {
	case <-full.done:
		return full.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// exchangeNow ends the caller's turn, in which it exchanges the log if that has anything, and returns the one that has
// what was stored before.
func (s *Store) exchangeNow(ctx context.Context) (*settling, error) {
	defer s.pass()
	if s.open != nil {
		s.commit(s.open)
	}
	switch {
	case s.broken != nil:
		return nil, s.broken
	case s.log == nil:
		return nil, nil
	case s.log.Size() == 0:
		return s.other, nil
	}
	if err := s.awaitOther(ctx); err != nil {
		return nil, err
	}
	if err := s.exchangeLog(); err != nil {
		s.fail(err)
		return nil, s.broken
	}
	return s.other, nil
}

// copyTo writes the file as it is now.
func (s *Store) copyTo(ctx context.Context, to *os.File) error {
	return s.db.View(func(tx *bbolt.Tx) error {
		if _, err := tx.WriteTo(writerUntil{ctx, to}); err != nil {
			return err
		}
		return to.Sync()
	})
}

// writerUntil writes until its context ends.
type writerUntil struct {
	ctx context.Context
	to  *os.File
}

func (w writerUntil) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}

// complete makes a copy a store of its own.
func complete(copied string) error {
	db, err := bbolt.Open(copied, 0o600, nil)
	if err != nil {
		return err
	}
	return errors.Join(endLog(db), db.Close())
}
