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
	if len(key) == 0 {
		return nil, nil
	}
	parts = make([]string, 0, bytes.Count(key, []byte{keyEscape, keyClose}))
	for len(key) > 0 {
		part, rest, ok := cutPart(key)
		if !ok {
			return nil, errKeyForm
		}
		parts, key = append(parts, part), rest
	}
	return parts, nil
}

// cutPart reads the first part of a key.
func cutPart(key []byte) (part string, rest []byte, ok bool) {
	var before []byte // with the last NUL that is escaped
	for {
		i := bytes.IndexByte(key, keyEscape)
		if i < 0 || i+1 >= len(key) {
			return "", nil, false
		}
		text, mark := key[:i], key[i+1]
		key = key[i+2:]
		switch {
		case mark == keyClose && before == nil:
			return string(text), key, true
		case mark == keyClose:
			return string(append(before, text...)), key, true
		case mark != keyNUL:
			return "", nil, false
		}
		before = append(append(before, text...), keyEscape)
	}
}
