package s2s

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/fields"
)

// field is a parameter of an action: when it has to be there, and the rules it keeps when it is. Every
// rule that fails is a fault of its own (errors.md, "Order of entries").
type field struct {
	name   string
	needed func(*reading) bool // nil: optional
	rules  []rule
	also   []string // further names it is read from, when it is not sent under its own
	// whole checks what is no single text (mpi_data, parameters, custom_data), in place of the rules.
	whole func(r *reading, tree any) []gateway.Fault
	// missing is a second fault of a blank one.
	missing string
	// lines: the value is no line of text, but a document or a digest.
	lines bool
}

func required(name string, rules ...rule) field {
	return field{name: name, needed: always, rules: rules}
}

func optional(name string, rules ...rule) field { return field{name: name, rules: rules} }

func needed(when func(*reading) bool, name string, rules ...rule) field {
	return field{name: name, needed: when, rules: rules}
}

func always(*reading) bool { return true }

func (f *field) check(r *reading) []gateway.Fault {
	if f.whole != nil {
		return f.whole(r, r.form.Tree(f.name))
	}
	value, ok := r.form.Scalar(f.name)
	if !ok && r.form.Tree(f.name) != nil {
		return []gateway.Fault{{Path: f.name, Text: textOneValue}}
	}
	if value == "" {
		value = r.first(f.also)
	}
	if value == "" {
		return f.blank(r)
	}
	var faults []gateway.Fault
	for _, rule := range f.rules {
		if text := rule(r, value); text != "" {
			faults = append(faults, gateway.Fault{Path: f.name, Text: text})
		}
	}
	if faults == nil && !f.lines && !fields.IsPrintable(value) {
		return []gateway.Fault{{Path: f.name, Text: fields.TextPrintable}} // decision ca
	}
	return faults
}

func (f *field) blank(r *reading) []gateway.Fault {
	if f.needed == nil || !f.needed(r) {
		return nil
	}
	faults := []gateway.Fault{{Path: f.name, Text: textBlank}}
	if f.missing != "" {
		faults = append(faults, gateway.Fault{Path: f.name, Text: f.missing})
	}
	return faults
}
