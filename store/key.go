package store

import (
	"bytes"
	"errors"
)

// A key is a list of parts, each escaped and closed by a mark. So parts may hold any bytes, and keys sort part by
// part. The key of some first parts is a prefix of exactly the keys that begin with those parts: no key of (a, bc)
// has the prefix (ab, c).
//
// A NUL within a part is written 00 FF; 00 01 closes a part.
const (
	keyEscape = 0x00
	keyNUL    = 0xFF
	keyClose  = 0x01
)

var errKeyForm = errors.New("store: not a key made of parts")

// Key writes parts as a key, or as the prefix of all keys that begin with them.
func Key(parts ...string) []byte {
	size := 0
	for _, part := range parts {
		size += len(part) + 2
	}
	key := make([]byte, 0, size)
	for _, part := range parts {
		key = appendPart(key, part)
	}
	return key
}

func appendPart(key []byte, part string) []byte {
	for i := range len(part) {
		key = append(key, part[i])
		if part[i] == keyEscape {
			key = append(key, keyNUL)
		}
	}
	return append(key, keyEscape, keyClose)
}

// SplitKey reads the parts of a key that Key wrote.
func SplitKey(key []byte) (parts []string, err error) {
	for len(key) > 0 {
		var part []byte
		for {
			i := bytes.IndexByte(key, keyEscape)
			if i < 0 || i+1 >= len(key) {
				return nil, errKeyForm
			}
			part = append(part, key[:i]...)
			mark := key[i+1]
			key = key[i+2:]
			if mark == keyClose {
				break
			}
			if mark != keyNUL {
				return nil, errKeyForm
			}
			part = append(part, keyEscape)
		}
		parts = append(parts, string(part))
	}
	return parts, nil
}
