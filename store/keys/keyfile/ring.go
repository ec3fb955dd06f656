package keyfile

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/store/keys"
)

const (
	keySize = keys.Size
	maxKeys = 100
	maxID   = 64
	maxText = 128 // of one key, before it is decoded
)

// ring is the content of a key file.
type ring struct {
	current string
	keys    map[string][keySize]byte
	lookup  [keySize]byte
}

// document is the file as JSON. Keys are a list, because in an object a name that comes twice would go unnoticed.
type document struct {
	Current string  `json:"current"`
	Keys    []entry `json:"keys"`
	Lookup  string  `json:"lookup"`
}

type entry struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

func newRing() *ring {
	id := newID()
	return &ring{current: id, keys: map[string][keySize]byte{id: newKey()}, lookup: newKey()}
}

// newID returns a random id, so that no id is ever used twice, even after its key was destroyed.
func newID() string {
	var raw [8]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	return "key-" + hex.EncodeToString(raw[:])
}

func newKey() (key [keySize]byte) {
	_, _ = rand.Read(key[:])
	return key
}

func (r *ring) ids() string {
	quoted := make([]string, 0, len(r.keys))
	for _, id := range slices.Sorted(maps.Keys(r.keys)) {
		quoted = append(quoted, fmt.Sprintf("%q", id))
	}
	return strings.Join(quoted, ", ")
}

func (r *ring) encode() ([]byte, error) {
	doc := document{Current: r.current, Lookup: hex.EncodeToString(r.lookup[:])}
	for _, id := range slices.Sorted(maps.Keys(r.keys)) {
		key := r.keys[id]
		doc.Keys = append(doc.Keys, entry{id, hex.EncodeToString(key[:])})
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	return append(text, '\n'), err
}

// decode reads a file's text. Its errors never quote the text, which may be a key in the wrong place.
func decode(text []byte) (*ring, error) {
	var doc document
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		return nil, errors.New(`it is not a JSON object with "current", "keys" and "lookup"`)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON object; a key file has one object")
	}
	return doc.ring()
}

func (d document) ring() (*ring, error) {
	if len(d.Keys) == 0 || len(d.Keys) > maxKeys {
		return nil, fmt.Errorf(`"keys" has %d keys; 1 to %d are possible`, len(d.Keys), maxKeys)
	}
	out := &ring{current: d.Current, keys: map[string][keySize]byte{}}
	for i, e := range d.Keys {
		if e.ID == "" || len(e.ID) > maxID {
			return nil, fmt.Errorf(`"keys": entry %d needs an id of 1 to %d bytes`, i+1, maxID)
		}
		if _, twice := out.keys[e.ID]; twice {
			return nil, fmt.Errorf("key id %q comes twice; an id names one key for ever", e.ID)
		}
		key, err := decodeKey(fmt.Sprintf("key %q", e.ID), e.Key)
		if err != nil {
			return nil, err
		}
		out.keys[e.ID] = key
	}
	if _, known := out.keys[d.Current]; !known {
		return nil, fmt.Errorf(`"current" names a key that is not in the file; it has %s`, out.ids())
	}
	var err error
	out.lookup, err = decodeKey(`"lookup"`, d.Lookup)
	return out, err
}

// decodeKey reads hex or base64, with or without padding and of either alphabet.
func decodeKey(name, text string) (key [keySize]byte, err error) {
	const cure = `make one with "openssl rand -hex 32"`
	if text == "" || len(text) > maxText {
		return key, fmt.Errorf("%s is missing or too long; %s", name, cure)
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
		if raw, err = base64.RawStdEncoding.Strict().DecodeString(plain); err != nil {
			return key, fmt.Errorf("%s is neither hex nor base64; %s", name, cure)
		}
	}
	if len(raw) != keySize {
		return key, fmt.Errorf("%s has %d bytes, and AES-256 takes %d; %s", name, len(raw), keySize, cure)
	}
	return [keySize]byte(raw), nil
}
