package door

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// HashMark is the record of a hash that was made with a merchant's password.
type HashMark struct {
	of   markDigest // the one request that it signs; zero: we sent it, and it signs none
	at   time.Time  // when it was last accepted
	paid bool       // of a payout: it has been paid, or may have been
}

type markDigest [16]byte

// sentByUs reports whether we sent the hash, so that it signs no request.
func (m *HashMark) sentByUs() bool { return m.of == markDigest{} }

// digestOf returns a digest of parts that depends on where each part ends.
func digestOf(parts ...string) markDigest {
	sum := sha256.Sum256(store.Key(parts...))
	return markDigest(sum[:16])
}

// The sizes of a mark in bytes: with the digest of a request, and of a hash that we sent.
const (
	hashMarkSize = sentMarkSize + 16
	sentMarkSize = 8 + 1
)

func (m *HashMark) encode() []byte {
	value := binary.BigEndian.AppendUint64(make([]byte, 0, hashMarkSize), uint64(m.at.UnixNano()))
	value = append(value, 0)
	if m.paid {
		value[sentMarkSize-1] = 1
	}
	if m.sentByUs() {
		return value
	}
	return append(value, m.of[:]...)
}

// decodeHashMark reads a mark. A damaged mark is read as if we had sent its hash: nothing that it may have signed
// is done again, and nothing that we sign waits for it.
func decodeHashMark(value []byte) (m HashMark) {
	if len(value) != hashMarkSize && len(value) != sentMarkSize {
		return HashMark{paid: true}
	}
	m.at, m.paid = time.Unix(0, int64(binary.BigEndian.Uint64(value))), value[sentMarkSize-1] == 1
	copy(m.of[:], value[sentMarkSize:])
	return m
}

// hashMarks locates the marks of a merchant's password. Another password makes other hashes, so its marks are
// stored elsewhere, and those of the old password can be deleted (ageOfHashMark).
type hashMarks struct{ merchantID, password string }

func marksOf(p *merchant.Profile) hashMarks {
	return hashMarks{p.Record().ID, p.HashMarks()}
}

// key returns the key of a hash's mark. It does not contain the hash itself, which may still sign a request.
func (h hashMarks) key(digest markDigest) []byte {
	return store.Key(records.HashMarks, h.merchantID, h.password, string(digest[:]))
}

// readHashMark returns the mark of a hash by its key; nil for one that was never seen.
func readHashMark(r store.Reader, key []byte) (*HashMark, error) {
	value, err := r.Get(key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	m := decodeHashMark(value)
	return &m, nil
}

func (m *HashMark) put(tx store.Tx, key []byte) error { return tx.Put(key, m.encode()) }
