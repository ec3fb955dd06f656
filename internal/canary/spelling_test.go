package canary

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// spelling is a way in which bytes may contain digits.
type spelling struct {
	name  string
	forms func(digits string) []string
}

// spellings are all of them. Base64 is cut to the characters that only the digits determine, at each of the three
// offsets in a group of bytes.
var spellings = []spelling{
	{"plain", func(d string) []string { return []string{d} }},
	{"grouped", func(d string) []string { return grouped(d, " ", "-", ".", "\u00a0", "+", "%20") }},
	{"reversed", func(d string) []string { return []string{reversed(d)} }},
	{"hex", func(d string) []string {
		plain := hex.EncodeToString([]byte(d))
		return []string{plain, strings.ToUpper(plain), hex.EncodeToString([]byte(reversed(d)))}
	}},
	{"base64", func(d string) []string { return append(base64s(d), base64s(reversed(d))...) }},
	{"URL", func(d string) []string { return []string{each(d, "%3"), each(d, "%253")} }},
	{"JSON and HTML", func(d string) []string {
		return []string{each(d, `\u003`), each(d, "&#x3", ";"), entities(d)}
	}},
	{"packed", func(d string) []string { return packed(d) }},
	{"UTF-16", func(d string) []string { return []string{wide(d, true), wide(d, false)} }},
}

func reversed(text string) string {
	b := []byte(text)
	slices.Reverse(b)
	return string(b)
}

// grouped is four digits at a time, and the groups of a card of 15.
func grouped(digits string, between ...string) (forms []string) {
	for _, sign := range between {
		var groups []string
		for group := range slices.Chunk([]byte(digits), 4) {
			groups = append(groups, string(group))
		}
		forms = append(forms, strings.Join(groups, sign))
		if len(digits) == 15 {
			forms = append(forms, digits[:4]+sign+digits[4:10]+sign+digits[10:])
		}
	}
	return forms
}

func base64s(text string) (forms []string) {
	for offset := range 3 {
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			whole := alphabet.EncodeToString(append(make([]byte, offset), text...))
			forms = append(forms, whole[(offset*8+5)/6:(offset+len(text))*8/6])
		}
	}
	return forms
}

// each puts a prefix before every digit, and a suffix after it.
func each(digits, before string, behind ...string) string {
	var b strings.Builder
	for i := range len(digits) {
		b.WriteString(before + digits[i:i+1] + strings.Join(behind, ""))
	}
	return b.String()
}

func entities(digits string) string {
	var b strings.Builder
	for i := range len(digits) {
		b.WriteString("&#" + []string{"48", "49", "50", "51", "52", "53", "54", "55", "56", "57"}[digits[i]-'0'] + ";")
	}
	return b.String()
}

// packed is two digits per byte.
func packed(digits string) []string {
	if len(digits) < 12 {
		return nil // too short to be significant
	}
	left, err := hex.DecodeString(digits[:len(digits)/2*2])
	if err != nil {
		return nil
	}
	return []string{string(left)}
}

func wide(digits string, little bool) string {
	var b []byte
	for i := range len(digits) {
		if little {
			b = append(b, digits[i], 0)
		} else {
			b = append(b, 0, digits[i])
		}
	}
	return string(b)
}

// findNumber names the spellings of a card number in the bytes.
func findNumber(bits []byte, number string) (found []string) {
	for _, s := range spellings {
		for _, form := range s.forms(number) {
			if form != "" && bytes.Contains(bits, []byte(form)) {
				found = append(found, s.name)
				break
			}
		}
	}
	return found
}

// values are the spellings of a code as a value in JSON, forms, headers, Go's prints and HTML.
func values(code string) (forms []string) {
	for _, border := range [][2]string{
		{`"`, `"`}, {"'", "'"}, {"=", "&"}, {"=", "\n"}, {"=", " "}, {":", "}"}, {":", ","}, {": ", " "}, {":", " "},
		{" ", " "}, {">", "<"}, {`\"`, `\"`},
	} {
		forms = append(forms, border[0]+code+border[1])
	}
	return forms
}

// findCode names the spellings of a security code as a value.
func findCode(bits []byte, code string) (found []string) {
	for _, form := range values(code) {
		if bytes.Contains(bits, []byte(form)) {
			return []string{"plain"}
		}
	}
	quoted := `"` + code + `"`
	for name, forms := range map[string][]string{
		"reversed": {`"` + reversed(code) + `"`}, "hex": {hex.EncodeToString([]byte(quoted)), strings.ToUpper(hex.EncodeToString([]byte(quoted))), `"` + hex.EncodeToString([]byte(code)) + `"`},
		"base64": append(base64s(quoted), `"`+base64.StdEncoding.EncodeToString([]byte(code))+`"`,
			`"`+base64.RawStdEncoding.EncodeToString([]byte(code))+`"`),
		"URL": {each(code, "%3"), "%22" + code + "%22"}, "JSON and HTML": {each(code, `\u003`), "&#34;" + code + "&#34;"}, "UTF-16": {wide(quoted, true), wide(quoted, false)},
	} {
		if slices.ContainsFunc(forms, func(form string) bool { return bytes.Contains(bits, []byte(form)) }) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// alone finds a code in text with no letter, digit, or sign of base64 or times next to it.
func alone(text []byte, code string) bool {
	return regexp.MustCompile(`(^|[^0-9A-Za-z+/_.-])` + code + `([^0-9A-Za-z+/_=-]|$)`).Match(text)
}
