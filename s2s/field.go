package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/internal/fields"
)

// field is a parameter of an action: when it has to be there, and the rules it keeps when it is. Every
// rule that fails is a fault of its own (errors.md, "Order of entries").
type field struct {
	name   string
	needed func(*call) bool // nil: optional
	rules  []rule
	also   []string // further names it is read from, when it is not sent under its own
	// whole checks what is no single text (mpi_data, parameters, custom_data), in place of the rules.
	whole func(c *call, tree any) []gateway.Fault
	// missing is a second fault of a blank one.
	missing string
	// lines: the value is no line of text, but a document or a digest.
	lines bool
}

// rule says what is wrong with a value, "" when it is sound.
type rule func(c *call, value string) string

func required(name string, rules ...rule) field {
	return field{name: name, needed: always, rules: rules}
}

func optional(name string, rules ...rule) field { return field{name: name, rules: rules} }

func needed(when func(*call) bool, name string, rules ...rule) field {
	return field{name: name, needed: when, rules: rules}
}

func always(*call) bool { return true }

// check holds the form against the fields of the action, in their order, and adds what the form itself
// found. A field with a fault of the form has no second one.
func (c *call) check(found bracketform.Faults) []gateway.Fault {
	var faults []gateway.Fault
	rest := slices.Clone(found)
	for i := range c.row.fields {
		f := &c.row.fields[i]
		if !found.Has(f.name) {
			faults = append(faults, f.check(c)...)
			continue
		}
		rest = slices.DeleteFunc(rest, func(fault bracketform.Fault) bool {
			own := bracketform.Faults{fault}.Has(f.name)
			if own {
				faults = append(faults, gateway.Fault{Path: fault.Path, Text: fault.Text})
			}
			return own
		})
	}
	return append(faults, faultsOf(rest)...) // of parameters that the action does not know
}

func (f *field) check(c *call) []gateway.Fault {
	if f.whole != nil {
		return f.whole(c, c.form.Tree(f.name))
	}
	value, ok := c.form.Scalar(f.name)
	if !ok && c.form.Tree(f.name) != nil {
		return []gateway.Fault{{Path: f.name, Text: textOneValue}}
	}
	if value == "" {
		value = c.first(f.also)
	}
	if value == "" {
		return f.blank(c)
	}
	var faults []gateway.Fault
	for _, rule := range f.rules {
		if text := rule(c, value); text != "" {
			faults = append(faults, gateway.Fault{Path: f.name, Text: text})
		}
	}
	if faults == nil && !f.lines && !fields.IsPrintable(value) {
		return []gateway.Fault{{Path: f.name, Text: fields.TextPrintable}} // decision ca
	}
	return faults
}

func (f *field) blank(c *call) []gateway.Fault {
	if f.needed == nil || !f.needed(c) {
		return nil
	}
	faults := []gateway.Fault{{Path: f.name, Text: textBlank}}
	if f.missing != "" {
		faults = append(faults, gateway.Fault{Path: f.name, Text: f.missing})
	}
	return faults
}
