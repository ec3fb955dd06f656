package wallet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// maxDepth is how deep a token may be nested; the wallets need five levels.
const maxDepth = 12

type kind int

const (
	isNothing kind = iota // absent or null
	isText
	isNumber
	isOther
	isList
	isObject
)

// value is a piece of JSON with its original bytes, and the path under which it was read. Member names are exact:
// encoding/json alone ignores case and keeps the last of two members with one name.
type value struct {
	kind    kind
	path    string
	raw     []byte
	text    string // of a text or a number
	list    []value
	members map[string]value
}

// readJSON reads one whole JSON document: no repeated member, no trailing data, bounded depth and size.
func readJSON(data []byte, path string, most int) (value, error) {
	switch {
	case len(data) > most:
		return value{}, because(path + ": too large")
	case !utf8.Valid(data) || !json.Valid(data):
		return value{}, because(path + ": not JSON")
	}
	d := &document{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	d.dec.UseNumber()
	v, err := d.next(0)
	if err != nil {
		return value{}, because(path + ": " + err.Error())
	}
	v.path = path
	return v, nil
}

type document struct {
	data []byte
	dec  *json.Decoder
}

var (
	errDepth    = errors.New("nested too deeply")
	errRepeated = errors.New("repeated member")
	errJSON     = errors.New("not JSON")
)

// next reads one value. The end of a list or an object gives io.EOF.
func (d *document) next(depth int) (value, error) {
	start := d.dec.InputOffset()
	token, err := d.dec.Token()
	if err != nil {
		return value{}, errJSON
	}
	if depth > maxDepth {
		return value{}, errDepth
	}
	v, err := d.fill(token, depth)
	if err != nil {
		return value{}, err
	}
	v.raw = bytes.TrimLeft(d.data[start:d.dec.InputOffset()], " \t\r\n,:")
	return v, nil
}

func (d *document) fill(token json.Token, depth int) (value, error) {
	switch t := token.(type) {
	case nil:
		return value{}, nil
	case string:
		return value{kind: isText, text: t}, nil
	case json.Number:
		return value{kind: isNumber, text: t.String()}, nil
	case json.Delim:
		switch t {
		case '{':
			return d.object(depth)
		case '[':
			return d.array(depth)
		}
		return value{}, io.EOF
	}
	return value{kind: isOther}, nil
}

func (d *document) array(depth int) (value, error) {
	v := value{kind: isList}
	for {
		element, err := d.next(depth + 1)
		switch {
		case errors.Is(err, io.EOF):
			return v, nil
		case err != nil:
			return value{}, err
		}
		v.list = append(v.list, element)
	}
}

func (d *document) object(depth int) (value, error) {
	v := value{kind: isObject, members: map[string]value{}}
	for {
		name, err := d.next(depth + 1)
		if errors.Is(err, io.EOF) {
			return v, nil
		}
		if err != nil {
			return value{}, err
		}
		if _, repeated := v.members[name.text]; repeated {
			return value{}, errRepeated
		}
		if v.members[name.text], err = d.next(depth + 1); err != nil {
			return value{}, err
		}
	}
}
