package callback

import (
	"slices"
	"strings"
)

// row is one parameter in the table of a protocol: its name, when it is sent, and its value. Read the three tables
// (checkout.go, card.go, apm.go) beside the documents that they transcribe.
type row struct {
	name  string
	when  when
	value func(*Event) string
	since string // the release that brought it; "" for the first

	// tree replaces value for a parameter with parts: name[key]=value.
	tree func(e *Event, name string) []Field
}

// presence says whether a parameter is sent. Empty ones are left out (callbacks.md, "Body rules"), except for a
// few that are always sent.
type presence uint8

const (
	absent   presence = iota
	optional          // if it is not empty
	required          // even if it is empty
)

// when decides whether one parameter is sent, and says the same for a description.
type when struct {
	of   func(*Event) presence
	says string // in words; "" for every callback
}

var (
	always = when{of: func(*Event) presence { return required }}
	filled = when{of: func(*Event) presence { return optional }}
)

// on sends a parameter in the callbacks of some actions, and of those with some results; without results,
// with every one.
func on(actions []string, results ...string) when {
	says := strings.Join(actions, ", ")
	if len(results) > 0 {
		says += " with " + strings.Join(results, ", ")
	}
	return given(says, func(e *Event) bool {
		return slices.Contains(actions, e.action) && (len(results) == 0 || slices.Contains(results, e.result))
	})
}

// either sends a parameter when one of several cases applies.
func either(cases ...when) when {
	says := make([]string, len(cases))
	for i := range cases {
		says[i] = cases[i].says
	}
	return when{says: strings.Join(says, "; "), of: func(e *Event) presence {
		found := absent
		for _, fits := range cases {
			found = max(found, fits.of(e))
		}
		return found
	}}
}

// given sends a parameter when a condition holds, which is said in words.
func given(says string, holds func(*Event) bool) when {
	return when{says: says, of: func(e *Event) presence {
		if holds(e) {
			return optional
		}
		return absent
	}}
}

// pick appends the parameters of a table that are sent, in the order of the rows.
func pick(fields []Field, rows []row, e *Event) []Field {
	for i := range rows {
		r := &rows[i]
		sent := r.when.of(e)
		switch {
		case sent == absent:
		case r.tree != nil:
			fields = append(fields, r.tree(e, r.name)...)
		default:
			if value := r.value(e); value != "" || sent == required {
				fields = append(fields, Field{r.name, value})
			}
		}
	}
	return fields
}

// hash is the name of the signature. Its row keeps the place; its value is computed when all others are known.
const hash = "hash"

func unsigned(*Event) string { return "" }
