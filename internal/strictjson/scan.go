package strictjson

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fault"
)

// space skips white space and returns the byte after it, 0 at the end.
func (p *parser) space() byte {
	for p.at < len(p.body) {
		c := p.body[p.at]
		if c > ' ' || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
		p.at++
	}
	return 0
}

// literal reads one of the three words of JSON.
func (p *parser) literal(word string) bool {
	end := p.at + len(word)
	if end > len(p.body) || string(p.body[p.at:end]) != word {
		return p.syntax()
	}
	p.at = end
	return true
}

// number reads a number by the JSON grammar and returns its digits as they are.
func (p *parser) number() (raw []byte, ok bool) {
	start := p.at
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if !p.digits() {
		return nil, p.syntax()
	}
	if p.peek() == '.' {
		p.at++
		if !p.digits() {
			return nil, p.syntax()
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c = p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !p.digits() {
			return nil, p.syntax()
		}
	}
	return p.body[start:p.at], true
}

func (p *parser) peek() byte {
	if p.at < len(p.body) {
		return p.body[p.at]
	}
	return 0
}

// digits skips one or more ASCII digits.
func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.body) && p.body[p.at]-'0' <= 9 {
		p.at++
	}
	return p.at > start
}

// text reads the string whose opening quote is at p.at. The bytes are valid until the next call. wrong is the fault
// of a text that ends properly but must not be used.
func (p *parser) text() (b []byte, wrong string, ok bool) {
	p.at++
	p.escaped = false
	start, high := p.at, byte(0)
	for i := start; i < len(p.body); i++ {
		c := p.body[i]
		if c == '"' {
			p.at = i + 1
			b = p.body[start:i]
			if high >= utf8.RuneSelf && !utf8.Valid(b) {
				wrong = fault.Unicode
			}
			return b, wrong, true
		}
		if c == '\\' || c < ' ' {
			return p.longText(start, i)
		}
		high |= c
	}
	p.at = len(p.body)
	return nil, "", p.syntax()
}

// kept returns the text that was just read. All texts of a short body are parts of one copy of it: a long one would
// stay for the sake of the shortest.
func (p *parser) kept(b []byte) string {
	if p.escaped || len(b) == 0 || len(p.body) > maxCopied {
		return string(b)
	}
	if p.copied == "" {
		p.copied = string(p.body)
	}
	end := p.at - len(`"`)
	return p.copied[end-len(b) : end]
}

// maxCopied is the longest body of which texts are parts, in bytes.
const maxCopied = 4 << 10

// longText continues at byte i of a string that began at start and has an escape or a control character.
func (p *parser) longText(start, i int) (b []byte, wrong string, ok bool) {
	p.escaped = true
	p.buf = append(p.buf[:0], p.body[start:i]...)
	for p.at = i; p.at < len(p.body); {
		c := p.body[p.at]
		switch {
		case c == '"':
			p.at++
			if wrong == "" && !utf8.Valid(p.buf) {
				wrong = fault.Unicode
			}
			return p.buf, wrong, true
		case c == '\\':
			flaw, ok := p.escape()
			if !ok {
				return nil, "", false
			}
			if flaw != "" {
				wrong = flaw
			}
		default:
			if c < ' ' {
				wrong = textControl
			}
			p.buf = append(p.buf, c)
			p.at++
		}
	}
	return nil, "", p.syntax()
}

// escape reads the escape whose backslash stands at p.at and appends its character to the buffer.
func (p *parser) escape() (wrong string, ok bool) {
	p.at++
	c := p.peek()
	if c == 'u' {
		return p.unicodeEscape()
	}
	plain := byte(0)
	switch c {
	case '"', '\\', '/':
		plain = c
	case 'b':
		plain = '\b'
	case 'f':
		plain = '\f'
	case 'n':
		plain = '\n'
	case 'r':
		plain = '\r'
	case 't':
		plain = '\t'
	default:
		return "", p.syntax()
	}
	p.buf = append(p.buf, plain)
	p.at++
	return "", true
}

// unicodeEscape reads \uXXXX, with its second half if it is the first one of a surrogate pair.
func (p *parser) unicodeEscape() (wrong string, ok bool) {
	r, ok := p.hex()
	if !ok {
		return "", false
	}
	if r == 0 {
		p.buf = append(p.buf, 0)
		return fault.NUL, true
	}
	if utf16.IsSurrogate(r) {
		low := rune(0)
		if p.at+1 < len(p.body) && p.body[p.at] == '\\' && p.body[p.at+1] == 'u' {
			p.at++
			if low, ok = p.hex(); !ok {
				return "", false
			}
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			wrong = fault.Unicode
		}
	}
	p.buf = utf8.AppendRune(p.buf, r)
	return wrong, true
}

// hex reads the four hexadecimal digits after the u at p.at.
func (p *parser) hex() (r rune, ok bool) {
	p.at++
	for end := p.at + 4; p.at < end; p.at++ {
		c := p.peek()
		switch {
		case c-'0' <= 9:
			c -= '0'
		case (c|0x20)-'a' <= 5:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, p.syntax()
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
