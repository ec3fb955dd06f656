package wallet

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode"
)

// shape reads the members of a token and keeps the first fault; after a fault everything reads as empty.
type shape struct{ err error }

func (s *shape) wrong(v value, problem string) {
	if s.err == nil {
		s.err = because(v.path + ": " + problem)
	}
}

func (v value) at(name string) value {
	found := v.members[name]
	found.path = v.path + "." + name
	return found
}

// only refuses members other than the named ones: what is not signed and not read must not stand among signed
// members.
func (s *shape) only(v value, names ...string) {
	known := 0
	for _, name := range names {
		if _, ok := v.members[name]; ok {
			known++
		}
	}
	if known != len(v.members) {
		s.wrong(v, "unknown member")
	}
}

func (s *shape) object(v value) value {
	if v.kind != isObject {
		s.wrong(v, "must be an object")
	}
	return v
}

// embedded reads an object, or a text with an object, which browsers send. The bytes of the value that it returns
// are those of the document itself, because a signature covers them.
func (s *shape) embedded(v value) value {
	if v.kind != isText {
		return s.object(v)
	}
	inner, err := readJSON([]byte(v.text), v.path, MaxToken)
	if err != nil && s.err == nil {
		s.err = err
	}
	inner.path, inner.raw = v.path, []byte(v.text)
	return s.object(inner)
}

func (s *shape) text(v value) string {
	if v.kind != isText || v.text == "" {
		s.wrong(v, "must be a text")
	}
	return v.text
}

// exact requires the text to be one of the given.
func (s *shape) exact(v value, any ...string) string {
	for _, want := range any {
		if v.kind == isText && v.text == want {
			return want
		}
	}
	s.wrong(v, "must be "+strings.Join(any, " or "))
	return ""
}

// optional returns a text that may be absent, null or empty, of at most most bytes.
func (s *shape) optional(v value, most int) string {
	if v.kind != isText && v.kind != isNothing {
		s.wrong(v, "must be a text")
	}
	if !printable(v.text, most) {
		s.wrong(v, "too long or not printable")
	}
	return v.text
}

// whole returns a JSON number without sign, point and exponent, of at most most digits.
func (s *shape) whole(v value, most int) string {
	if v.kind != isNumber || len(v.text) > most || !digits(v.text) {
		s.wrong(v, "must be a whole number")
		return ""
	}
	return v.text
}

// base64 accepts the standard alphabet with padding, in one spelling only: Go's decoder skips line ends.
func (s *shape) base64(v value) []byte {
	decoded, ok := decode64(s.text(v))
	if !ok {
		s.wrong(v, "must be base64")
	}
	return decoded
}

func decode64(text string) ([]byte, bool) {
	decoded, err := base64.StdEncoding.Strict().DecodeString(text)
	return decoded, err == nil && len(decoded) > 0 && !strings.ContainsAny(text, "\r\n")
}

func (s *shape) hex(v value, size int) []byte {
	decoded, err := hex.DecodeString(s.text(v))
	if err != nil || len(decoded) != size {
		s.wrong(v, "must be hexadecimal of the right length")
	}
	return decoded
}

func printable(text string, most int) bool {
	return len(text) <= most && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
