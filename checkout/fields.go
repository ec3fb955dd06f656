package checkout

import (
	"strings"

	"github.com/tollgatepay/gateway"
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
)

// fields collects what is wrong with a body, one fault a field (errors.md, "Order of entries").
type fields struct {
	already strictjson.Faults
	list    []gateway.Fault
}

func newFields(faults strictjson.Faults) *fields {
	return &fields{already: faults, list: malformed(faults)}
}

// want checks a field that has to be there; rule is what it says of a value, "" when it is sound.
func (f *fields) want(path, value string, rule func(string) string) {
	if f.already.Has(path) {
		return
	}
	text := textBlank
	if value != "" {
		text = rule(value)
	}
	if text != "" {
		f.list = append(f.list, gateway.Fault{Path: path, Text: text})
	}
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

// malformed carries the decoder's faults over, the first one of each field.
func malformed(faults strictjson.Faults) []gateway.Fault {
	list := make([]gateway.Fault, 0, len(faults))
	for i, fault := range faults {
		if !faults[:i].Has(fault.Path) {
			list = append(list, gateway.Fault{Path: strings.ToValidUTF8(fault.Path, "?"), Text: fault.Text})
		}
	}
	return list
}

// cutShort reports a body that was not read to its end: its syntax is broken, or a container is over a
// limit. Of what follows nothing is known, so that no field can be called missing.
func cutShort(faults strictjson.Faults) bool {
	last := len(faults) - 1
	return faults.Has("body") || last >= 0 && strings.HasPrefix(faults[last].Text, "must have at most ")
}
