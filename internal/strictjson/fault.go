package strictjson

import (
	"strings"
	"unicode"

	"github.com/tollgatepay/gateway/internal/fault"
)

// maxKeyText is the number of bytes of an unknown key that a fault repeats.
const maxKeyText = 64

// Texts of the faults, in the style of the protocol's own validation messages.
const (
	textNotObject  = "must be one JSON object"
	textDeep       = "nested too deeply"
	textRepeated   = fault.Repeated
	textControl    = "must not contain unescaped control characters"
	textWantString = "must be a string"
	textWantInt    = "must be an integer"
	textWantNumber = "must be a number or numeric string"
)

// Fault is one fault in a document; its path is "body" for the whole of it.
type Fault = fault.Fault

// Faults lists the faults in the order of the document: at most 50 faults of fields, then at most one that ended
// the reading. It is nil for a valid document.
type Faults = fault.Faults

// keyText makes a sender's key fit for messages: valid, printable and short.
func keyText(key []byte) string {
	short := key
	if len(short) > maxKeyText {
		short = short[:maxKeyText]
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, string(short))
	if len(short) < len(key) {
		return strings.TrimRight(text, string(unicode.ReplacementChar)) + "…"
	}
	return text
}

// joinPath puts name in front of a path that is relative to it.
func joinPath(name, rest string) string {
	if rest == "" || rest[0] == '[' || name == "" {
		return name + rest
	}
	return name + "." + rest
}
