package door

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// HashMark is what is kept of a hash that was made with a merchant's password.
type HashMark struct {
	of   markDigest // the one request that it signs; zero: we sent it, and it signs none
	at   time.Time  // when it was accepted last
	paid bool       // of money out: it has been paid, or may have been
}

type markDigest [16]byte

// sentByUs reports the mark of a hash that signs no request.
func (m *HashMark) sentByUs() bool { return m.of == markDigest{} }

// digestOf is a digest of parts whose borders count.
func digestOf(parts ...string) markDigest {
	sum := sha256.Sum256(store.Key(parts...))
	return markDigest(sum[:16])
}

const hashMarkSize = 16 + 8 + 1

func (m *HashMark) encode() []byte {
	value := binary.BigEndian.AppendUint64(bytes.Clone(m.of[:]), uint64(m.at.UnixNano()))
	if m.paid {
		return append(value, 1)
	}
	return append(value, 0)
}

// decodeHashMark reads a mark. One that is damaged is good for no request, as if we had sent its hash: nothing that it
// may have signed is done again, and nothing that we sign waits for it.
func decodeHashMark(value []byte) (m HashMark) {
	if len(value) != hashMarkSize {
		return HashMark{paid: true}
	}
	m.of, m.paid = markDigest(value[:16]), value[24] == 1
	m.at = time.Unix(0, int64(binary.BigEndian.Uint64(value[16:])))
	return m
}

// hashMarks is where the marks of a merchant's password lie. Another password makes other hashes: its marks lie
// elsewhere, and those of the password before may go (ageOfHashMark).
type hashMarks struct{ merchantID, password string }

func marksOf(p *merchant.Profile) hashMarks {
	return hashMarks{p.Record().ID, records.Fingerprint(p.Record().Password)}
}

// key is where the mark of a hash lies. The hash itself is not told: it may be good for a request still.
func (h hashMarks) key(digest markDigest) []byte {
	return store.Key(records.HashMarks, h.merchantID, h.password, string(digest[:]))
}

// get is the mark of a hash; nil for one that was never seen.
func (h hashMarks) get(r store.Reader, digest markDigest) (*HashMark, error) {
	value, err := r.Get(h.key(digest))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	m := decodeHashMark(value)
	return &m, nil
}

func (h hashMarks) put(tx store.Tx, digest markDigest, m HashMark) error {
	return tx.Put(h.key(digest), m.encode())
}
