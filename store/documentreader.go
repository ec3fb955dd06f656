package store

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// documentReader reads one document in the form in which a documentWriter writes it, with fields in any order. Of any
// other form, such as one with spaces, the reader is bad and the record worthless. The texts of the record are parts of
// the document.
type documentReader struct {
	text  string
	at    int
	bad   bool
	named string // the field whose value comes next
}

// open passes the brace before the first field; in the document itself also the version, which a table has checked.
func (r *documentReader) open() {
	if r.at == 0 {
		r.at = max(0, strings.IndexAny(r.text, ",}"))
		return
	}
	r.skip('{')
}

func (r *documentReader) close() { r.skip('}') }

func (r *documentReader) skip(c byte) {
	if r.peek() != c {
		r.bad = true
		return
	}
	r.at++
}

// peek returns the next byte, or 0 at the end.
func (r *documentReader) peek() byte {
	if r.bad || r.at >= len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// field passes the name of the next field, or the end of the object.
func (r *documentReader) field() bool {
	if r.peek() == '}' {
		r.at++
		return false
	}
	if r.bad || r.at == 0 {
		r.bad = true
		return false
	}
	if r.text[r.at-1] != '{' {
		r.skip(',')
	}
	from, to := r.verbatim()
	r.skip(':')
	r.named = r.text[from:to]
	return !r.bad
}

// pass passes the value of a field that the record does not have.
func (r *documentReader) pass() { r.raw() }

// null passes a missing value.
func (r *documentReader) null() bool {
	if !r.bad && strings.HasPrefix(r.text[r.at:], "null") {
		r.at += len("null")
		return true
	}
	return false
}

// next reports whether a list has another element. An empty list has another form: records leave it out.
func (r *documentReader) next() bool {
	switch {
	case r.bad || r.at == 0:
		return false
	case r.text[r.at-1] == ':':
		if r.null() {
			return false
		}
		r.skip('[')
		return !r.bad
	case r.peek() == ']':
		r.at++
		return false
	}
	r.skip(',')
	return !r.bad
}

// quoted passes a string and returns where its text is.
func (r *documentReader) quoted() (from, to int, escaped bool) {
	r.skip('"')
	from = r.at
	for i := from; i < len(r.text) && !r.bad; i++ {
		switch c := r.text[i]; {
		case c == '"':
			r.at = i + 1
			return from, i, escaped
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			r.bad = true
		}
	}
	r.bad = true
	return 0, 0, false
}

// value reads a string.
func (r *documentReader) value() string {
	from, to, escaped := r.quoted()
	text := r.text[from:to]
	if escaped {
		var plain string
		r.bad = r.bad || json.Unmarshal([]byte(r.text[from-1:to+1]), &plain) != nil
		return plain
	}
	r.bad = r.bad || !utf8.ValidString(text)
	return text
}

// verbatim is a string in which nothing may be escaped.
func (r *documentReader) verbatim() (from, to int) {
	from, to, escaped := r.quoted()
	r.bad = r.bad || escaped
	return from, to
}

func (r *documentReader) flag() bool {
	for _, flag := range [...]string{"true", "false"} {
		if !r.bad && strings.HasPrefix(r.text[r.at:], flag) {
			r.at += len(flag)
			return flag == "true"
		}
	}
	r.bad = true
	return false
}

func (r *documentReader) number() int { return int(r.integer(strconv.IntSize)) }

// time reads microseconds since 1970.
func (r *documentReader) time() time.Time {
	at := r.integer(64)
	r.bad = r.bad || at < firstTime || at > lastTime
	return time.UnixMicro(at).UTC()
}

func (r *documentReader) integer(bits int) int64 {
	from := r.at
	if r.peek() == '-' {
		r.at++
	}
	first := r.at
	for c := r.peek(); c >= '0' && c <= '9'; c = r.peek() {
		r.at++
	}
	n, err := strconv.ParseInt(r.text[from:r.at], 10, bits)
	r.bad = r.bad || err != nil || r.text[first] == '0' && r.at-from > 1
	return n
}

func (r *documentReader) amount() Amount {
	from, to := r.verbatim()
	if r.bad {
		return Amount{}
	}
	a, err := ParseAmount(r.text[from:to])
	r.bad = err != nil
	return a
}

func (r *documentReader) expiry() (e Expiry) {
	from, to := r.verbatim()
	if !r.bad {
		r.bad = e.UnmarshalText([]byte(r.text[from:to])) != nil
	}
	return e
}

func (r *documentReader) base64() []byte {
	if r.null() {
		return nil
	}
	from, to := r.verbatim()
	if r.bad {
		return nil
	}
	b, err := base64.StdEncoding.DecodeString(r.text[from:to])
	r.bad = err != nil
	return b
}

// raw reads a value as it is.
func (r *documentReader) raw() json.RawMessage {
	from, depth := r.at, 0
	for !r.bad {
		switch c := r.peek(); {
		case c == '"':
			r.quoted()
			continue
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']' || c == ',') && depth == 0:
			value := r.text[from:r.at]
			r.bad = strings.TrimSpace(value) != value || !json.Valid([]byte(value))
			return json.RawMessage(value)
		case c == '}' || c == ']':
			depth--
		case c == 0:
			r.bad = true
		}
		r.at++
	}
	return nil
}

func (r *documentReader) texts() map[string]string {
	pairs := map[string]string{}
	r.open()
	for !r.bad && r.peek() != '}' {
		if len(pairs) > 0 {
			r.skip(',')
		}
		name := r.value()
		r.skip(':')
		pairs[name] = r.value()
	}
	r.close()
	return pairs
}
