package bracketform

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fault"
)

const (
	maxNameText = 64 // bytes of a name or key that a fault repeats
	maxDigits   = 6  // digits among them that stay readable
)

// Texts of the faults, in the style of the protocol's own validation messages.
const (
	textMany      = "too many parameters"
	textMalformed = "malformed parameter name"
	textDeep      = "nested too deeply"
	textRepeated  = fault.Repeated
	textIndex     = "index must be a whole number, 0..999999999"
	textMixed     = "must be a list or an object, not both"
	textCollision = "must be one value or an object, not both"
	textPercent   = "must be valid percent-encoding"
	textFile      = "must not be a file"
	textTransfer  = "must be sent without transfer encoding"
	textMultipart = "must be well-formed multipart/form-data"
	textMediaType = "must be application/x-www-form-urlencoded or multipart/form-data"
	textText      = "must be text"
)

// pathBody is the path of faults of the whole body, and of names that cannot be shown.
const pathBody = "body"

// Fault is one fault in a body. The path is in brackets, as the sender spells it: p[a][0]. For a malformed name it
// is the name as sent. Long or odd names are cut, and of long numbers only 6 digits are shown.
type Fault = fault.Fault

// Faults lists at most 50 faults by path and then by text. It is nil for a valid body.
type Faults = fault.Faults

// found collects faults while a body is read.
type found Faults

// add keeps the list short all the time. Dropping the highest now and then leaves the same 50 as sorting all of
// them once, so the report does not depend on the order of the body.
func (f *found) add(path, text string) {
	*f = append(*f, Fault{Path: path, Text: text})
	if len(*f) == 20*fault.Max {
		f.settle()
	}
}

func (f *found) settle() {
	slices.SortFunc(*f, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Text, b.Text))
	})
	*f = slices.Compact(*f)
	*f = (*f)[:min(len(*f), fault.Max)]
}

// nameText makes a sender's name fit for messages and logs: short and printable. If a client sends JSON or a bare
// card number to the form endpoint, we read it as a name: so the text ends at the first character that names do not
// have, and no long number stays whole.
func nameText(name string) string {
	var out strings.Builder
	out.Grow(min(len(name), maxNameText+len("…")))
	digits := 0
	for i, r := range name {
		switch {
		case i+utf8.RuneLen(r) > maxNameText || !inNames(r):
			return out.String() + "…"
		case '0' <= r && r <= '9':
			if digits++; digits > maxDigits {
				r = '*'
			}
		}
		out.WriteRune(r)
	}
	return out.String()
}

func inNames(r rune) bool {
	return '0' <= r && r <= '9' || strings.ContainsRune("_-.[]", r) || r != utf8.RuneError && unicode.IsLetter(r)
}

// malformedPath is the path for a malformed name.
func malformedPath(name string) string {
	if text := nameText(name); text != "" && text != "…" {
		return text
	}
	return pathBody
}
