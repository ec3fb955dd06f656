package strictjson

import (
	"strings"
	"unicode"
)

// maxFaults bounds the faults (and the names of unknown keys) that one document can produce.
const maxFaults = 50

// maxKeyText is the number of bytes of an unknown key that a fault repeats.
const maxKeyText = 64

// Texts of the faults, in the style of the protocol's own validation messages.
const (
	textNotObject  = "must be one JSON object"
	textDeep       = "nested too deeply"
	textRepeated   = "repeated field"
	textUnicode    = "must be valid Unicode text"
	textNUL        = "must not contain NUL"
	textControl    = "must not contain unescaped control characters"
	textWantString = "must be a string"
	textWantBool   = "must be true or false"
	textWantObject = "must be an object"
	textWantList   = "must be a list"
	textWantInt    = "must be an integer"
	textWantNumber = "must be a number or numeric string"
	textInvalid    = "This value is not valid."
)

// Fault is one thing wrong with a document.
type Fault struct {
	Path string // dotted, with list indexes: "order.amount", "card_token[2]"; "body" for the whole document
	Text string // what is expected; never holds a value of the document
}

// String gives "path: text", the form that the protocols put into their error lists.
func (f Fault) String() string { return f.Path + ": " + f.Text }

// Faults lists what is wrong, in the order of the document: at most 50 faults of fields, then at most one that
// ended the reading. It is nil for a sound document.
type Faults []Fault

// Error joins all faults with "; ".
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i := range f {
		lines[i] = f[i].String()
	}
	return strings.Join(lines, "; ")
}

// Err gives the faults as an error that is nil when there are none.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Has reports whether a fault stands at path or below it, so that later checks need not complain about the same
// field a second time.
func (f Faults) Has(path string) bool {
	for i := range f {
		rest, found := strings.CutPrefix(f[i].Path, path)
		if found && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// keyText makes a key that a stranger chose fit for messages: valid, printable and short.
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
