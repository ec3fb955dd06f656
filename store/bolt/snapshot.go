package bolt

import (
	"bytes"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/tree"
)

// layers is what lies over the file: the writes that it does not have yet. A pair without a value hides what is below
// it.
type layers struct {
	recent   *tree.Tree // what is in the log that takes batches
	settling *tree.Tree // what is in the log before it, until the file has that too; then empty
	turns    uint64     // how often the log has been exchanged for another
}

// layers returns the present ones.
func (s *Store) layers() layers { return *s.over.Load() }

// change replaces the layers. The committer publishes batches and exchanges logs, while the goroutine that settles a
// log drops what the file has.
func (s *Store) change(edit func(*layers)) {
	s.changing.Lock()
	defer s.changing.Unlock()
	changed := s.layers()
	edit(&changed)
	s.over.Store(&changed)
}

// snapshot is one state of the store: that of the file, and what lies over it.
type snapshot struct {
	layers
	file   *bbolt.Tx
	bucket *bbolt.Bucket
	cursor *bbolt.Cursor // for single keys
}

// snapshot begins a snapshot. It has to be released.
func (s *Store) snapshot() (snapshot, error) {
	for {
		if snap, fits, err := s.under(s.layers()); fits || err != nil {
			return snap, err
		}
	}
}

// under begins a snapshot of the file under layers that were read before, if they fit.
//
// The file may get what lies over it at any moment, which changes nothing, since both say the same. But if a log was
// exchanged since the layers were read, the file may already have more than they.
func (s *Store) under(over layers) (snap snapshot, fits bool, err error) {
	file, err := s.db.Begin(false)
	if err != nil {
		return snapshot{}, false, fmt.Errorf("bolt: begin: %w", err)
	}
	if s.layers().turns != over.turns {
		_ = file.Rollback() // of a read transaction: cannot fail
		return snapshot{}, false, nil
	}
	bucket := file.Bucket(bucketName)
	return snapshot{layers: over, file: file, bucket: bucket, cursor: bucket.Cursor()}, true, nil
}

// release ends a snapshot.
func (s snapshot) release() { _ = s.file.Rollback() } // of a read transaction: cannot fail

// find returns the entry of a key that lies over the file, or "".
func (s snapshot) find(key []byte) store.Pair {
	if pair := tree.Get(s.recent, key); pair != "" {
		return pair
	}
	return tree.Get(s.settling, key)
}

// inFile returns the value that the file has under key, not copied, or nil.
func (s snapshot) inFile(key []byte) []byte {
	if found, value := s.cursor.Seek(key); bytes.Equal(found, key) {
		return value
	}
	return nil
}
