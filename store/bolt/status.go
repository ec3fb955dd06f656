package bolt

import (
	"encoding/binary"
	"errors"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store/bolt/internal/wal"
)

// status is what the file knows of its logs: 25 bytes under one key of a bucket of their own.
type status struct {
	id      wal.ID // of the logs in use, or of those that were last
	settled uint64 // the file has all batches up to this number
	logged  bool   // a log is in use: batches behind it may be in it alone
}

var (
	statusBucket = []byte("tollgate-log")
	statusKey    = []byte("status")
)

const statusSize = 16 + 8 + 1

func (st status) put(tx *bbolt.Tx) error {
	bucket, err := tx.CreateBucketIfNotExists(statusBucket)
	if err != nil {
		return err
	}
	text := binary.BigEndian.AppendUint64(st.id[:], st.settled)
	if st.logged {
		return bucket.Put(statusKey, append(text, 1))
	}
	return bucket.Put(statusKey, append(text, 0))
}

// readStatus returns what the file knows. It is the zero status for a file that never had a log.
func readStatus(tx *bbolt.Tx) (st status, err error) {
	bucket := tx.Bucket(statusBucket)
	if bucket == nil {
		return st, nil
	}
	text := bucket.Get(statusKey)
	if len(text) != statusSize {
		return st, errors.New("the status of its log has another form")
	}
	st.id, st.settled, st.logged = wal.ID(text[:16]), binary.BigEndian.Uint64(text[16:]), text[24] != 0
	return st, nil
}
