package speed

import (
	"sync"
	"sync/atomic"

	"go.etcd.io/bbolt"
)

// Write is one change of a commit; a nil value is a deletion.
type Write struct{ Key, Value []byte }

// Raw is bbolt with the simplest group commit: the first caller commits what has been queued meanwhile. It is the
// reference for durable sales.
type Raw struct {
	db      *bbolt.DB
	mu      sync.Mutex
	waiting []member
	busy    bool
	flushes atomic.Int64
}

// member is a caller that waits for its commit. err is set before done is closed.
type member struct {
	writes []Write
	err    *error
	done   chan struct{}
}

var rawBucket = []byte("b")

// OpenRaw opens a file with the fastest safe options. Unlike store/bolt it lists no free pages and counts nothing.
func OpenRaw(path string) (*Raw, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, InitialMmapSize: 1 << 30, NoStatistics: true})
	if err != nil {
		return nil, err
	}
	return &Raw{db: db}, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(rawBucket)
		return err
	})
}

// Flushes returns how many commits have reached the disk.
func (r *Raw) Flushes() int64 { return r.flushes.Load() }

// Close closes the file.
func (r *Raw) Close() error { return r.db.Close() }

// Commit stores writes and returns when they are on the disk.
func (r *Raw) Commit(writes []Write) error {
	m := member{writes, new(error), make(chan struct{})}
	r.mu.Lock()
	r.waiting = append(r.waiting, m)
	lead := !r.busy
	r.busy = true
	r.mu.Unlock()
	for lead {
		lead = r.flush(r.take())
	}
	<-m.done
	return *m.err
}

// take returns those who wait, and ends the lead when there are none.
func (r *Raw) take() []member {
	r.mu.Lock()
	defer r.mu.Unlock()
	group := r.waiting
	r.waiting, r.busy = nil, len(group) > 0
	return group
}

// flush commits for a group and reports whether there was one.
func (r *Raw) flush(group []member) bool {
	if len(group) == 0 {
		return false
	}
	r.flushes.Add(1)
	err := r.db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(rawBucket)
		for _, m := range group {
			if err := apply(b, m.writes); err != nil {
				return err
			}
		}
		return nil
	})
	for _, m := range group {
		*m.err = err
		close(m.done)
	}
	return true
}

func apply(b *bbolt.Bucket, writes []Write) error {
	for _, w := range writes {
		var err error
		if w.Value == nil {
			err = b.Delete(w.Key)
		} else {
			err = b.Put(w.Key, w.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
