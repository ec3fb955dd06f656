package store

import (
	"errors"
	"strings"
)

// Pair is a key and its value, or a key that has none, in one string. It never changes, so that plans and back ends
// hand it over and need not copy it.
//
// Its first two bytes are the length of the key and, in the highest bit, whether the key has a value.
type Pair string

const (
	pairHead  = 2
	pairValue = 0x80 // in the first byte
)

// NewPair returns a copy of a key, which is within the limits (CheckKey), and of its value. A nil value means that
// the key has none.
func NewPair(key, value []byte) Pair {
	first := byte(len(key) >> 8)
	if value != nil {
		first |= pairValue
	}
	var pair strings.Builder
	pair.Grow(pairHead + len(key) + len(value))
	pair.WriteByte(first)
	pair.WriteByte(byte(len(key)))
	pair.Write(key)
	pair.Write(value)
	return Pair(pair.String())
}

// ParsePair returns a copy of the bytes of a Pair that was kept elsewhere, or an error unless they are one within the
// limits.
func ParsePair(text []byte) (Pair, error) {
	if len(text) < pairHead {
		return "", errors.New("store: a pair is cut")
	}
	pair := Pair(text)
	if pair.split() > len(pair) {
		return "", errors.New("store: the key of a pair is cut")
	}
	if key := pair.split() - pairHead; key == 0 || key > MaxKey {
		return "", ErrKey
	}
	if value := len(pair) - pair.split(); value > MaxValue || value > 0 && !pair.HasValue() {
		return "", ErrValue
	}
	return pair, nil
}

// Key returns the key.
func (p Pair) Key() string { return string(p[pairHead:p.split()]) }

// Value returns the value, or "" when the key has none.
func (p Pair) Value() string { return string(p[p.split():]) }

// HasValue reports whether the key has a value, which may be empty.
func (p Pair) HasValue() bool { return p[0]&pairValue != 0 }

// split returns where the key ends.
func (p Pair) split() int { return pairHead + (int(p[0]&^pairValue)<<8 | int(p[1])) }
