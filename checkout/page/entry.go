package page

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
)

// The fields of the form.
const (
	fieldNumber = "card_number"
	fieldExpiry = "expiry"
	fieldCode   = "cvv"
	fieldName   = "name"
)

// rule names what is wrong with a field; the catalogue has the words.
type rule int

// The rules of the form (errors.md, "Checkout hosted-page (form) messages").
const (
	badNumber rule = iota
	badExpiry
	badCode
	badName
	badMethod
	blankAnswer
	longAnswer
	badAnswer
	refused       // the kernel's, without a field of ours
	refusedMethod // the same where no card was asked for
)

// fault is one field that failed. Field is empty where none of ours is to blame; label is what the
// connector calls the field, empty for those of ours.
type fault struct {
	field string
	rule  rule
	label string
}

// entry is what a payer typed. It is never printed: number and code stay inside this package as text
// only until they are parsed.
type entry struct {
	attempt                    int
	number, expiry, code, name string
	method                     string            // code of the method
	answers                    map[string]string // to what it asks, by name
}

// readEntry takes the form as it was sent. An attempt that is no number is none.
func readEntry(form url.Values) entry {
	attempt, err := strconv.Atoi(form.Get("attempt"))
	if err != nil {
		attempt = -1
	}
	return entry{
		attempt: attempt, number: form.Get(fieldNumber), expiry: form.Get(fieldExpiry),
		method: form.Get(fieldMethod), code: form.Get(fieldCode), name: strings.Join(strings.Fields(visible(form.Get(fieldName))), " "),
	}
}

// card checks all fields and answers every fault, in the order of the page.
func (e entry) card(needName bool, now time.Time) (methods.Card, []fault) {
	var faults []fault
	var card methods.Card
	var err error
	if card.PAN, err = parsePAN(e.number); err != nil {
		faults = append(faults, fault{field: fieldNumber, rule: badNumber})
	}
	if card.Expiry, err = parseExpiry(e.expiry, now); err != nil {
		faults = append(faults, fault{field: fieldExpiry, rule: badExpiry})
	}
	if card.Code, err = parseCode(e.code); err != nil {
		faults = append(faults, fault{field: fieldCode, rule: badCode})
	}
	if needName {
		card.Holder = e.name
		if !holder(e.name) {
			faults = append(faults, fault{field: fieldName, rule: badName})
		}
	}
	return card, faults
}

// keep is what may be shown again: the expiry and the name. Number and code never are, nor anything
// that might be one of them typed into the wrong field.
func (e entry) keep() (expiry, name string) {
	if _, err := readExpiry(e.expiry); err == nil {
		expiry = visible(e.expiry)
	}
	if utf8.RuneCountInString(e.name) <= 64 && !strings.ContainsFunc(e.name, unicode.IsNumber) {
		name = e.name
	}
	return expiry, name
}

// holder is a name on a card: up to 32 characters, at least two words of letters, with hyphen,
// apostrophe, full stop and diacritics.
func holder(name string) bool {
	if utf8.RuneCountInString(name) > 32 || len(strings.Fields(name)) < 2 {
		return false
	}
	for _, word := range strings.Fields(name) {
		if !strings.ContainsFunc(word, unicode.IsLetter) {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" -'’.", r)
	})
}

// kernelFaults finds the fields that the kernel would not take: those the method asks for, then those of
// the card. Where it names none that is shown the payer is told so in general.
func kernelFaults(err *gateway.Error, asked []question, card bool) []fault {
	faults := askFaults(asked, err)
	if card && len(faults) == 0 {
		faults = cardFaults(err)
	}
	switch {
	case len(faults) > 0:
		return faults
	case card:
		return []fault{{rule: refused}}
	}
	return []fault{{rule: refusedMethod}}
}

func cardFaults(err *gateway.Error) []fault {
	var faults []fault
	for _, named := range err.Faults {
		switch path := named.Path; {
		case strings.Contains(path, "number"), strings.Contains(path, "pan"):
			faults = append(faults, fault{field: fieldNumber, rule: badNumber})
		case strings.Contains(path, "exp"):
			faults = append(faults, fault{field: fieldExpiry, rule: badExpiry})
		case strings.Contains(path, "cvv"), strings.Contains(path, "code"):
			faults = append(faults, fault{field: fieldCode, rule: badCode})
		case strings.Contains(path, "name"), strings.Contains(path, "holder"):
			faults = append(faults, fault{field: fieldName, rule: badName})
		}
	}
	return faults
}
