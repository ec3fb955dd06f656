package gateway

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// form checks requests against tables of fields.
type form struct {
	validate   *validator.Validate
	currencies *methods.Currencies
	now        func() time.Time
	quotes     bool // the host computes tax
	crypto     func(method string) bool
}

func newForm(currencies *methods.Currencies, now func() time.Time, quotes bool, catalogue *methods.Catalogue) *form {
	return &form{
		validate:   validator.New(validator.WithRequiredStructEnabled()),
		currencies: currencies,
		now:        now,
		quotes:     quotes,
		crypto: func(code string) bool {
			method, _ := catalogue.Lookup(code)
			return method.Kind == methods.KindCrypto
		},
	}
}

// maxObject bounds custom_data, in bytes: records and callbacks repeat it, escaped in their own ways, and
// have to stay within what a store takes. maxParameters bounds the parameters of methods, which are sealed
// with the payment, twice in a cascade.
const (
	maxObject     = 64 << 10
	maxParameters = 256 << 10
)

// maxRendered bounds custom_data as callbacks have it, in bytes: each of its values there repeats the keys
// that lead to it.
const maxRendered = 256 << 10

// smallObject is a length at which an object cannot grow beyond maxRendered: of n bytes at most a quarter
// begin a value, and each has at most n bytes of keys and text, threefold when escaped.
const smallObject = 512

func customFault(object json.RawMessage) refusal.Fault {
	if fault := objectFault("custom_data", object, maxObject); fault.Text != "" || len(object) == 0 {
		return fault
	}
	if fields.ObjectHoldsPAN(object) {
		return refusal.Fault{Path: "custom_data", Text: fields.TextCard}
	}
	if len(object) <= smallObject {
		return refusal.Fault{}
	}
	tree, _ := sentParameters(object)
	if callback.Size("custom_data", tree) > maxRendered {
		return refusal.Fault{Path: "custom_data",
			Text: fmt.Sprintf("must be at most %d bytes as callbacks have it", maxRendered)}
	}
	return refusal.Fault{}
}

func objectFault(path string, object json.RawMessage, limit int) refusal.Fault {
	switch {
	case len(object) == 0:
		return refusal.Fault{}
	case len(object) > limit:
		return refusal.Fault{Path: path, Text: fmt.Sprintf("must be at most %d bytes", limit)}
	case object[0] != '{' || !json.Valid(object):
		return refusal.Fault{Path: path, Text: "must be an object"}
	}
	return refusal.Fault{}
}

// plainAmount reports an amount other than nothing in any format.
func plainAmount(text string) bool {
	amount, err := store.ParseAmount(text)
	return err == nil && !amount.IsZero()
}
