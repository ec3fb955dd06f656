package bracketform

import (
	"bytes"
	"slices"
)

// decoder turns the pieces of an urlencoded body into text.
type decoder struct {
	sound bool // the body is valid Unicode without NUL, and so is every piece that has no escapes
	buf   []byte
}

// usualText is how long most names and values are at most.
const usualText = 128

// text decodes one name or value. On a fault it returns the piece as far as it could be read.
func (d *decoder) text(raw string) (text, wrong string) {
	if !escaped(raw) {
		if d.sound {
			return raw, ""
		}
		return raw, textFault(raw)
	}
	d.buf = slices.Grow(d.buf[:0], max(len(raw), usualText))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '+':
			c = ' '
		case c == '%':
			if i+2 >= len(raw) || unhex(raw[i+1])|unhex(raw[i+2]) > 15 {
				return string(d.buf), textPercent
			}
			c = unhex(raw[i+1])<<4 | unhex(raw[i+2])
			i += 2
		}
		d.buf = append(d.buf, c)
	}
	text = string(d.buf)
	return text, textFault(text)
}

func escaped(raw string) bool {
	for i := range len(raw) {
		if raw[i] == '%' || raw[i] == '+' {
			return true
		}
	}
	return false
}

// unhex returns the value of a hexadecimal digit, 255 if it is none.
func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

// count returns an upper bound of the fields of a body, and whether there are more than limit. It stops early, so a
// body of a million fields costs no more than one of ten thousand.
func count(body []byte, limit int) (fields int, many bool) {
	bound := bytes.Count(body, []byte("&")) + 1
	if bound <= limit {
		return bound, false
	}
	before := byte('&')
	for _, c := range body {
		if c != '&' && before == '&' {
			fields++
		}
		if fields > limit {
			return 0, true
		}
		before = c
	}
	return fields, false
}
