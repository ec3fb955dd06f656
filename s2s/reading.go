package s2s

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// reading is the parsed form of a request, for the rules of its action.
type reading struct {
	form     bracketform.Form
	client   *gateway.Client
	protocol store.Protocol    // whose rules apply
	action   string            // the name of the row, also for an alias
	takes    func(string) bool // reports whether the action has a parameter of that name
	cards    *cardNames        // names of the payer's card
}

// text returns a parameter without brackets, "" when it is absent: an empty one counts as absent (decision m).
func (r *reading) text(name string) string {
	value, _ := r.form.Scalar(name)
	return value
}

// key returns a parameter that names a record, "" when no record can have that name.
func (r *reading) key(name string) string {
	if value := r.text(name); len(value) <= fields.MaxName {
		return value
	}
	return ""
}

// own returns a parameter of the action, "" for one that it does not have.
func (r *reading) own(name string) string {
	if !r.takes(name) {
		return ""
	}
	return r.text(name)
}

// first returns the value of the first name that was sent.
func (r *reading) first(names []string) string {
	for _, name := range names {
		if value := r.text(name); value != "" {
			return value
		}
	}
	return ""
}
