package fields

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

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

// ObjectHoldsPAN looks at every name and value of a valid object, as they are once they are decoded.
func ObjectHoldsPAN(object json.RawMessage) bool {
	if !mayHoldPAN(object) { // most objects
		return false
	}
	for text := string(object); text != ""; {
		size := tokenSize(text)
		if tokenHoldsPAN(text[:size]) {
			return true
		}
		text = text[size:]
	}
	return false
}

// mayHoldPAN reports whether an object has digits enough, of ASCII or parts of others. The escape of a digit has one
// itself.
func mayHoldPAN(object json.RawMessage) bool {
	left := store.MinPANDigits
	for _, c := range object {
		if c >= utf8.RuneSelf || c >= '0' && c <= '9' {
			left--
		}
	}
	return left <= 0
}

func tokenHoldsPAN(token string) bool {
	if !strings.Contains(token, `\`) {
		return store.HoldsPAN(strings.Trim(token, `"`))
	}
	var decoded string
	return json.Unmarshal([]byte(token), &decoded) != nil || store.HoldsPAN(decoded)
}

// tokenSize returns the length of the text, the number or the other character with which a valid text of JSON begins.
func tokenSize(text string) int {
	if text[0] != '"' {
		rest := strings.TrimLeft(text, "+-.0123456789eE")
		return max(len(text)-len(rest), 1)
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
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
