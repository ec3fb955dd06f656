package bolt

import (
	"bytes"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/tree"
)

// layers is what lies over the file: the writes that it does not have yet, and the latest ones that it has. A pair
// without a value hides what is below it.
type layers struct {
	recent  *tree.Tree // the latest writes: all of the log that takes batches, and of logs before it
	earlier *tree.Tree // those before them
	turns   uint64     // how often the log has been exchanged for another
}

// kept is what the recent layer has taken since it was empty.
type kept struct {
	bytes    int64 // of the logs that are full
	removals int   // that hide a key, those of the log that takes batches included
}

// maxRemovals is how many removals a layer has at most when it stays: a scan passes every one.
const maxRemovals = 1000

// layers returns the present ones. They are not changed, but replaced.
func (s *Store) layers() *layers { return s.over.Load() }

// exchangeLayers notes that a log is full. When the recent layer has enough, it becomes the earlier one, and an empty
// layer takes its place. What was the earlier layer is dropped: the file has it, since all logs before the full one are
// settled.
func (s *Store) exchangeLayers(logged int64) {
	over := *s.layers()
	over.turns++
	s.kept.bytes += logged
	if s.kept.bytes >= s.keep || s.kept.removals > maxRemovals {
		s.kept = kept{}
		over.recent, over.earlier = tree.New(), over.recent
	}
	s.over.Store(&over)
}

// snapshot is one state of the store: that of the file, and what lies over it.
type snapshot struct {
	layers
	seen   *layers // the layers, the same pointer for all who see this state; nil inside a group that has written
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
func (s *Store) under(over *layers) (snap snapshot, fits bool, err error) {
	file, err := s.db.Begin(false)
	if err != nil {
		return snapshot{}, false, fmt.Errorf("bolt: begin: %w", err)
	}
	if s.layers().turns != over.turns {
		_ = file.Rollback() // of a read transaction: cannot fail
		return snapshot{}, false, nil
	}
	bucket := file.Bucket(bucketName)
	return snapshot{layers: *over, seen: over, file: file, bucket: bucket, cursor: bucket.Cursor()}, true, nil
}

// release ends a snapshot.
func (s snapshot) release() { _ = s.file.Rollback() } // of a read transaction: cannot fail

// find returns the entry of a key that lies over the file, or "".
func (s snapshot) find(key []byte) store.Pair {
	if pair := tree.Get(s.recent, key); pair != "" {
		return pair
	}
	return tree.Get(s.earlier, key)
}

// inFile returns the value that the file has under key, not copied, or nil.
func (s snapshot) inFile(key []byte) []byte {
	if found, value := s.cursor.Seek(key); bytes.Equal(found, key) {
		return value
	}
	return nil
}
