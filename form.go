package gateway

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// form checks requests against tables of fields.
type form struct {
	currencies *methods.Currencies
	now        func() time.Time
	quotes     bool // the host computes tax
	crypto     func(method string) bool
	strict     store.Mapping // of no merchant: it loosens nothing
}

func newForm(currencies *methods.Currencies, now func() time.Time, quotes bool, catalogue *methods.Catalogue) *form {
	return &form{
		currencies: currencies,
		now:        now,
		quotes:     quotes,
		crypto: func(code string) bool {
			method, _ := catalogue.Lookup(code)
			return method.Kind == methods.KindCrypto
		},
	}
}

// maxObject bounds custom_data in bytes, because records and callbacks repeat it, escaped, and a store takes only so
// much. maxParameters bounds the parameters of methods, which are sealed with the payment, twice in a cascade.
const (
	maxObject     = 64 << 10
	maxParameters = 256 << 10
)

// maxRendered bounds custom_data in bytes as callbacks have it, where each value repeats the keys that lead to it.
const maxRendered = 256 << 10

// smallObject is a length at which an object cannot grow beyond maxRendered: at most a quarter of n bytes begin a
// value, and each value has at most n bytes of keys and text, threefold when escaped.
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
	tree, _ := fields.SentParameters(object)
	if callback.Size("custom_data", tree) > maxRendered {
		return refusal.Fault{Path: "custom_data", Text: fields.TextSize(maxRendered) + " as callbacks have it"}
	}
	return refusal.Fault{}
}

// sealedFault measures parameters as they are sealed: there the separators of lines and paragraphs are escaped.
func sealedFault(parameters json.RawMessage) refusal.Fault {
	longer := len(`\u2028`) - len("\u2028")
	separators := bytes.Count(parameters, []byte("\u2028")) + bytes.Count(parameters, []byte("\u2029"))
	if len(parameters)+longer*separators > maxParameters {
		return refusal.Fault{Path: "parameters", Text: fields.TextSize(maxParameters)}
	}
	return objectFault("parameters", parameters, maxParameters)
}

func objectFault(path string, object json.RawMessage, limit int) refusal.Fault {
	switch {
	case len(object) == 0:
		return refusal.Fault{}
	case len(object) > limit:
		return refusal.Fault{Path: path, Text: fields.TextSize(limit)}
	case object[0] != '{' || !json.Valid(object):
		return refusal.Fault{Path: path, Text: fields.TextObject}
	}
	return refusal.Fault{}
}

// plainAmount reports whether a text is an amount above zero in any format.
func plainAmount(text string) bool {
	amount, err := store.ParseAmount(text)
	return err == nil && !amount.IsZero()
}

// one returns a list of one fault; an empty list if the fault has no text.
func one(fault refusal.Fault) []refusal.Fault {
	if fault.Text == "" {
		return nil
	}
	return []refusal.Fault{fault}
}

// isPositive reports whether a text is an amount above zero, as a protocol writes it.
func (f *form) isPositive(format methods.Format, currency, value string) bool {
	known, ok := f.currencies.Lookup(currency)
	if !ok {
		return false
	}
	return methods.CheckAmount(format, known, value) == nil && !fields.IsZero(value)
}

// chosenAmount takes the amount that the payer of a transfer entered.
func (f *form) chosenAmount(order *store.Order, m *store.Mapping, text string) []refusal.Fault {
	currency, _ := f.currencies.Lookup(order.Currency)
	switch err := methods.CheckAmount(methods.Checkout.Short(m.ShortAmounts), currency, text); {
	case err != nil:
		return []refusal.Fault{{Path: "amount", Text: err.Error()}}
	case fields.IsZero(text):
		return []refusal.Fault{{Path: "amount", Text: fields.TextPositive}}
	}
	order.Amount = text
	return nil
}
