package strictjson

import "unicode/utf8"

// AppendJSON appends the value as compact JSON. The characters <, > and & and the two Unicode line ends are
// escaped, so that the text is also safe inside a page. An absent value is written as null.
func (v Value) AppendJSON(b []byte) []byte {
	switch v.kind {
	case KindText:
		return appendText(b, v.text)
	case KindBool, KindNumber:
		return append(b, v.text...)
	case KindList:
		b = append(b, '[')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.AppendJSON(b)
		}
		return append(b, ']')
	case KindObject:
		b = append(b, '{')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, item.key), ':')
			b = item.AppendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// MarshalJSON implements json.Marshaler by [Value.AppendJSON].
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

const hexDigits = "0123456789abcdef"

func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i, r := range s {
		if r >= ' ' && r < utf8.RuneSelf && r != '"' && r != '\\' && r != '<' && r != '>' && r != '&' {
			continue
		}
		if r >= utf8.RuneSelf && r != utf8.RuneError && r != '\u2028' && r != '\u2029' {
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscaped(b, r)
		_, width := utf8.DecodeRuneInString(s[i:])
		start = i + width
	}
	return append(append(b, s[start:]...), '"')
}

func appendEscaped(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	case utf8.RuneError: // also for a byte that is no UTF-8
		return utf8.AppendRune(b, r)
	}
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
