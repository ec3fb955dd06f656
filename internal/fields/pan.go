package fields

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Text is a field that takes any text, by its name on S2S: what of, such as "payer_" or nothing, and which.
type Text struct{ Of, Name, Value string }

func (t Text) fault(text string) refusal.Fault { return refusal.Fault{Path: t.Of + t.Name, Text: text} }

// CardsIn names the texts with a card number in them.
func CardsIn(texts []Text) (faults []refusal.Fault) {
	for _, t := range texts {
		if store.HoldsPAN(t.Value) {
			faults = append(faults, t.fault(TextCard))
		}
	}
	return faults
}

// ObjectHoldsPAN looks at every name and value of an object, as they are once they are decoded.
func ObjectHoldsPAN(object json.RawMessage) bool {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return false
		}
		if err != nil { // what is no object was refused before
			return true
		}
		switch value := token.(type) {
		case string:
			if store.HoldsPAN(value) {
				return true
			}
		case json.Number:
			if store.HoldsPAN(value.String()) {
				return true
			}
		}
	}
}

// WithoutCards leaves out the browser attributes that hold a card number. They are what a browser sends of
// itself, and no reason to refuse its payer.
func WithoutCards(browser map[string]string) map[string]string {
	var kept map[string]string
	for name, value := range browser {
		if store.HoldsPAN(value) {
			continue
		}
		if kept == nil {
			kept = make(map[string]string, len(browser))
		}
		kept[name] = value
	}
	return kept
}

// HiddenIn names the texts that are no lines.
func HiddenIn(texts []Text) (faults []refusal.Fault) {
	for _, t := range texts {
		if !IsPrintable(t.Value) {
			faults = append(faults, t.fault(TextPrintable))
		}
	}
	return faults
}
