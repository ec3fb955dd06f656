package checkout

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tollgatepay/gateway"
	rules "github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// The texts of refused fields (errors.md, "Field-validation messages"); those of amounts before their
// currency is known and of lengths are ours.
const (
	textBlank    = "This value should not be blank."
	textInvalid  = "This value is not valid."
	textPositive = "This value should be greater than 0."
	textAmount   = "must be a decimal number of at most 15 digits and 18 decimals, like 12.34"
	textSize     = "size should be within 1..100"
	textLong     = "This value is too long. It should have %d characters or less."
	textShort    = "This value is too short. It should have %d characters or more."
	textToken    = "must have 64 characters"
)

// fields collects what is wrong with a body, one fault a field (errors.md, "Order of entries").
type fields struct {
	already strictjson.Faults
	list    []gateway.Fault
}

func newFields(faults strictjson.Faults) *fields {
	return &fields{already: faults, list: sessionjson.Faults(faults)}
}

// want checks a field that has to be there; rule is what it says of a value, "" when it is sound.
func (f *fields) want(path, value string, rule func(string) string) {
	if value == "" {
		f.refuse(path, textBlank)
		return
	}
	f.refuse(path, cmp.Or(rule(value), printable(path, value)))
}

// may checks a field that can be left out.
func (f *fields) may(path, value string, rule func(string) string) {
	if value != "" {
		f.refuse(path, cmp.Or(rule(value), printable(path, value)))
	}
}

// printable refuses what no line of text has (decision ca). A hash is refused for what it is.
func printable(path, value string) string {
	if path == "hash" {
		return ""
	}
	return rules.Printable(value)
}

// refuse names a field, unless the decoder did, or what holds it.
func (f *fields) refuse(path, text string) {
	if text == "" || f.already.Has(path) {
		return
	}
	for i := range path {
		if path[i] == '.' && f.already.Has(path[:i]) {
			return
		}
	}
	f.list = append(f.list, gateway.Fault{Path: path, Text: text})
}

func (f *fields) err() error {
	if len(f.list) == 0 {
		return nil
	}
	return gateway.ErrInvalid.Fields(f.list...)
}

// isText takes anything.
func isText(string) string { return "" }

// isName takes what may be a key or an id: ours are short, and longer ones name nothing.
func isName(value string) string {
	if len(value) > 255 {
		return textInvalid
	}
	return ""
}

// within takes so many characters.
func within(shortest, longest int) func(string) string {
	return func(value string) string {
		switch n := utf8.RuneCountInString(value); {
		case n > longest:
			return fmt.Sprintf(textLong, longest)
		case n < shortest:
			return fmt.Sprintf(textShort, shortest)
		}
		return ""
	}
}

// isCardToken takes what may be a token of a saved card.
func isCardToken(value string) string {
	if len(value) != 64 {
		return textToken
	}
	return ""
}

// isCardNumber takes a card number, and never repeats it.
func isCardNumber(value string) string {
	if _, err := store.ParsePAN(value); err != nil {
		return textInvalid
	}
	return ""
}

// isAmount looks at an amount before its currency is known, and before the hash: a field that is wrong
// by itself is named whoever sends it.
func isAmount(value string) string {
	rest, negative := strings.CutPrefix(value, "-")
	amount, err := store.ParseAmount(rest)
	switch {
	case err != nil, negative && amount.IsZero():
		return textAmount
	case negative, amount.IsZero():
		return textPositive
	}
	return ""
}

// isZero reports an amount of nothing.
func isZero(value string) bool {
	amount, err := store.ParseAmount(value)
	return err == nil && amount.IsZero()
}
