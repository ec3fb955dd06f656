package store

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// documentWriter writes one document exactly as encoding/json does without escapes for HTML, except for times. After an
// error the document is worthless.
type documentWriter struct {
	out []byte
	err error
}

func (w *documentWriter) open()  { w.out = append(w.out, '{') }
func (w *documentWriter) close() { w.out = append(w.out, '}') }

// name writes the name of a field, with quotes and colon.
func (w *documentWriter) name(name string) {
	if w.out[len(w.out)-1] != '{' {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, name...)
}

// next begins an element of a list.
func (w *documentWriter) next() {
	if w.out[len(w.out)-1] != '[' {
		w.out = append(w.out, ',')
	}
}

func (w *documentWriter) null() { w.out = append(w.out, "null"...) }

// text writes a string, with the escapes of encoding/json.
func (w *documentWriter) text(s string) {
	out := append(w.out, '"')
	from := 0
	for i := plainStart(s); i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if !plain(c) {
				out = appendEscaped(append(out, s[from:i]...), c)
				from = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if escaped := escapedRunes(r, size); escaped != "" {
			out = append(append(out, s[from:i]...), escaped...)
			from = i + size
		}
		i += size
	}
	w.out = append(append(out, s[from:]...), '"')
}

func plain(c byte) bool {
	return c >= ' ' && c != '"' && c != '\\'
}

// plainStart returns how many bytes at the start of a text are ASCII that stands for itself, or fewer: it looks at
// eight at a time, and most texts are nothing else.
func plainStart(s string) (n int) {
	const each, high = 0x0101010101010101, 0x8080808080808080
	for ; n+8 <= len(s); n += 8 {
		p := s[n : n+8]
		word := uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 |
			uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
		quote, slash := word^each*'"', word^each*'\\'
		// The first byte from which more is taken than it has ends with its highest bit set.
		if (word|(word-each*' ')|(quote-each)|(slash-each))&high != 0 {
			break
		}
	}
	return n
}

func appendEscaped(out []byte, c byte) []byte {
	const short, letters, hex = "\"\\\b\f\n\r\t", `"\bfnrt`, "0123456789abcdef"
	if i := strings.IndexByte(short, c); i >= 0 {
		return append(out, '\\', letters[i])
	}
	return append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
}

// escapedRunes is what stands for a character that a document does not hold as it is.
func escapedRunes(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return `\ufffd`
	case r == '\u2028':
		return `\u2028`
	case r == '\u2029':
		return `\u2029`
	}
	return ""
}

// time writes microseconds since 1970, which is shorter than a text and faster to read.
func (w *documentWriter) time(t time.Time) {
	at := t.UnixMicro()
	if at < firstTime || at > lastTime {
		w.err = errTime
	}
	w.out = strconv.AppendInt(w.out, at, 10)
}

func (w *documentWriter) amount(a Amount) {
	out, err := a.AppendText(append(w.out, '"'))
	if err != nil {
		w.err = err
		return
	}
	w.out = append(out, '"')
}

func (w *documentWriter) bytes(b []byte) {
	if b == nil {
		w.null()
		return
	}
	w.out = append(base64.StdEncoding.AppendEncode(append(w.out, '"'), b), '"')
}

// raw writes a value that is JSON already.
func (w *documentWriter) raw(value json.RawMessage) {
	if isCompact(value) && json.Valid(value) { // as ours are
		w.out = append(w.out, value...)
		return
	}
	out := bytes.NewBuffer(w.out)
	if err := json.Compact(out, value); err != nil {
		w.err = err
		return
	}
	w.out = out.Bytes()
}

// isCompact reports whether JSON has no white space between its parts.
func isCompact(value json.RawMessage) bool {
	text := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			text = !text
		case c == '\\':
			i++
		case c <= ' ' && !text:
			return false
		}
	}
	return true
}

func (w *documentWriter) texts(pairs map[string]string) {
	w.open()
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		if w.out[len(w.out)-1] != '{' {
			w.out = append(w.out, ',')
		}
		w.text(name)
		w.out = append(w.out, ':')
		w.text(pairs[name])
	}
	w.close()
}

func (w *documentWriter) flag(b bool) { w.out = strconv.AppendBool(w.out, b) }

func (w *documentWriter) number(n int) { w.out = strconv.AppendInt(w.out, int64(n), 10) }

func (w *documentWriter) expiry(e Expiry) { w.out = append(e.append(append(w.out, '"')), '"') }
