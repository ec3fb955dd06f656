package signature

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
)

// digest is a hash as hex text. Its first field makes == a compile error: digests are compared by equal only, in
// constant time.
type digest struct {
	_    [0]func()
	hex  [hex64]byte // zeros after size
	size int
}

const hex64 = 2 * sha256.Size // the longest hash

func sum(mode Mode, outer bool, text []byte) digest {
	var d digest
	if mode == SHA256 {
		inner := sha256.Sum256(text)
		d.set(inner[:])
	} else {
		inner := md5.Sum(text)
		d.set(inner[:])
	}
	if outer {
		over := sha1.Sum(d.hex[:d.size])
		d = digest{}
		d.set(over[:])
	}
	return d
}

func (d *digest) set(raw []byte) { d.size = hex.Encode(d.hex[:], raw) }

// given keeps a hash as it was received. One of a wrong length or with wrong characters is kept too, and is
// compared like any other.
func given(hash string) digest {
	d := digest{size: min(len(hash), hex64+1)}
	copy(d.hex[:], hash)
	return d
}

// equal is 1 or 0. Size is public: it follows from formula and mode.
func (d *digest) equal(other *digest) int {
	return subtle.ConstantTimeEq(int32(d.size), int32(other.size)) &
		subtle.ConstantTimeCompare(d.hex[:], other.hex[:])
}
