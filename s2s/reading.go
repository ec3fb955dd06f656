package s2s

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// reading is the form of a request as the rules of its action read it.
type reading struct {
	form     bracketform.Form
	client   *gateway.Client
	protocol store.Protocol    // whose rules the request is under
	action   string            // the name of the row, also where an alias was sent
	takes    func(string) bool // reports whether the action has a parameter of that name
	cards    *cardNames        // where the payer's card stands
}

// text is a parameter without brackets, "" when it is absent: an empty one counts as absent (decision m).
func (r *reading) text(name string) string {
	value, _ := r.form.Scalar(name)
	return value
}

// key is a parameter that names a record, "" when nothing can have that name.
func (r *reading) key(name string) string {
	if value := r.text(name); len(value) <= fields.MaxName {
		return value
	}
	return ""
}

// own is a parameter of the action: one that it does not have is ignored.
func (r *reading) own(name string) string {
	if !r.takes(name) {
		return ""
	}
	return r.text(name)
}

// first is the value of the first name that was sent.
func (r *reading) first(names []string) string {
	for _, name := range names {
		if value := r.text(name); value != "" {
			return value
		}
	}
	return ""
}
