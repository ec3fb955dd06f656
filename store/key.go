package store

import (
	"bytes"
	"errors"
	"strings"
)

// A key is a list of parts, each escaped and closed by a mark. So parts may hold any bytes, and keys sort part by
// part. The key of some first parts is a prefix of exactly the keys that begin with those parts: no key of (a, bc)
// has the prefix (ab, c).
//
// A NUL within a part is written 00 FF; 00 01 closes a part. Most parts are ids, or begin with one: a UUID at the
// beginning of a part is written 00 02 and its 16 bytes. So ids keep their order among each other.
const (
	keyEscape = 0x00
	keyNUL    = 0xFF
	keyClose  = 0x01
	keyUUID   = 0x02
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
	if id, ok := leadingUUID(part); ok {
		key = append(append(key, keyEscape, keyUUID), id[:]...)
		part = part[uuidText:]
	}
	for i := strings.IndexByte(part, keyEscape); i >= 0; i = strings.IndexByte(part, keyEscape) {
		key = append(append(key, part[:i+1]...), keyNUL)
		part = part[i+1:]
	}
	return append(append(key, part...), keyEscape, keyClose)
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

// cutPart reads the first part of a key. A UUID that is spelled out is not the work of Key.
func cutPart(key []byte) (part string, rest []byte, ok bool) {
	if len(key) < 2+uuidSize || key[0] != keyEscape || key[1] != keyUUID {
		part, rest, ok = cutText(key, nil)
		_, spelled := leadingUUID(part)
		return part, rest, ok && !spelled
	}
	id := appendUUID(make([]byte, 0, uuidText+8), key[2:2+uuidSize])
	return cutText(key[2+uuidSize:], id)
}

// cutText reads the text of a part up to its end. before is what the part begins with.
func cutText(key, before []byte) (part string, rest []byte, ok bool) {
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
