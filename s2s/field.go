package s2s

import (
	"cmp"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
)

// field is a parameter of an action, and rule a condition on its value. Every rule that fails is a fault of its
// own (errors.md, "Order of entries").
type (
	field = fields.Field[*reading]
	rule  = fields.Rule[*reading]
)

func required(name string, rules ...rule) field { return needed(always, name, rules...) }

func optional(name string, rules ...rule) field { return needed(never, name, rules...) }

// needed returns a parameter that is required when when says so.
func needed(when need, name string, rules ...rule) field {
	return field{
		Path: name, Needed: when, Rules: rules,
		Value: func(r *reading) string { return r.text(name) },
		Shape: func(r *reading) string { return r.shape(name) },
	}
}

// document returns a parameter whose value is not a line of text.
func document(when need, name string) field {
	f := needed(when, name)
	f.Lines = true
	return f
}

// also returns a required parameter that is read from other names when it was not sent under its own.
func also(names []string, name string, rules ...rule) field {
	f := required(name, rules...)
	if len(names) > 1 {
		f.Also = names[1:]
		f.Needed.Says = "unless it is sent as " + strings.Join(f.Also, " or ")
	}
	f.Value = func(r *reading) string { return cmp.Or(r.text(name), r.first(names)) }
	return f
}

// need says when a parameter is required; never is its zero value.
type need = fields.Need[*reading]

var (
	never  need
	always = fields.Always[*reading]()
)

// shape returns what is wrong with the structure of a parameter that has to be one value.
func (r *reading) shape(name string) string {
	return fields.Sound(!r.form.HasBrackets(name), fields.TextOneValue)
}
