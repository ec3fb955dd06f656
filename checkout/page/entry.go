package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/cardinput"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/methods"
)

// The fields of the form beside those of a method and of the payer.
const (
	fieldAmount = "amount"
	fieldPayee  = "payee_card"
	fieldTerms  = "terms"
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
	blankExpiry
	badExpiry
	badCode
	badName
	badMethod
	badPayee
	badAmount
	badTerms
	blankField
	badField
	blankAnswer
	longAnswer
	badAnswer
	changedTerms
	refused       // the kernel's, without a field of ours
	refusedMethod // the same where no card was asked for
)

// fault is one field that failed. Field is empty where none of ours is to blame; label is what the
// connector calls the field, or the path of a field of the payer, empty for those of ours.
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
	saved                      string            // place of the saved card, from 1; 0 for another card
	payee, amount              string            // number of the payee's card, and how much he gets
	told                       map[string]string // of the payer himself, by path
	terms                      bool
	agreement                  string // what the form showed
}

// readEntry takes the form as it was sent. An attempt that is no number is none.
func readEntry(form url.Values) entry {
	attempt, err := strconv.Atoi(form.Get("attempt"))
	if err != nil {
		attempt = -1
	}
	return entry{
		attempt: attempt, number: form.Get(fieldNumber), expiry: form.Get(fieldExpiry),
		method: form.Get(fieldMethod), code: form.Get(fieldCode), name: strings.Join(strings.Fields(clean.Visible(form.Get(fieldName))), " "),
		saved: form.Get(fieldSaved), payee: form.Get(fieldPayee), amount: form.Get(fieldAmount), terms: form.Get(fieldTerms) != "",
		agreement: form.Get(fieldAgreement),
	}
}

// card checks the card that is typed or chosen and answers every fault, in the order of the page. Saved is
// the place of a saved card, whose security code is all there is to type.
func (e entry) card(turn *gateway.Turn, now time.Time) (card methods.Card, saved int, faults []fault) {
	var err error
	saved, ok := chosenCard(turn, e.saved, now)
	if !ok {
		faults = append(faults, fault{field: fieldNumber, rule: badNumber})
	}
	switch {
	case expiryOnly(turn) && saved == 0 && ok:
		faults = append(faults, fault{field: fieldSaved + "-1", rule: badNumber})
	case expiryOnly(turn):
		faults = append(faults, e.typedExpiry(&card, now)...)
	case saved == 0 && ok:
		faults = append(faults, e.typed(&card, now)...)
	}
	blank := turn.Code == gateway.CodeOptional && clean.Visible(e.code) == ""
	if turn.Code != gateway.CodeNone && !blank {
		if card.Code, err = cardinput.Code(e.code); err != nil {
			faults = append(faults, fault{field: fieldCode, rule: badCode})
		}
	}
	if turn.NeedName && saved == 0 {
		card.Holder = e.name
		if !cardinput.Holder(e.name) {
			faults = append(faults, fault{field: fieldName, rule: badName})
		}
	}
	return card, saved, faults
}

// typed reads number and expiry.
func (e entry) typed(card *methods.Card, now time.Time) (faults []fault) {
	var err error
	if card.PAN, err = cardinput.PAN(e.number); err != nil {
		faults = append(faults, fault{field: fieldNumber, rule: badNumber})
	}
	return append(faults, e.typedExpiry(card, now)...)
}

func (e entry) typedExpiry(card *methods.Card, now time.Time) (faults []fault) {
	var err error
	if strings.TrimSpace(clean.Visible(e.expiry)) == "" {
		return []fault{{field: fieldExpiry, rule: blankExpiry}}
	}
	if card.Expiry, err = cardinput.Expiry(e.expiry, now); err != nil {
		faults = append(faults, fault{field: fieldExpiry, rule: badExpiry})
	}
	return faults
}

// keep is what may be shown again: the expiry and the name. Number and code never are, nor anything
// that might be one of them typed into the wrong field.
func (e entry) keep() (expiry, name string) {
	if _, err := cardinput.AnyExpiry(e.expiry); err == nil {
		expiry = clean.Visible(e.expiry)
	}
	if utf8.RuneCountInString(e.name) <= cardinput.MaxName && !strings.ContainsFunc(e.name, unicode.IsNumber) {
		name = e.name
	}
	return expiry, name
}

// kernelFaults finds the fields that the kernel would not take, in the order of the page. Where it names
// none that is shown the payer is told so in general.
func (a *asked) kernelFaults(err *gateway.Error, typed *entry) []fault {
	faults := wholeFaults(err)
	others := append(askFaults(a.questions, err), payerFaults(a.payer, typed.told, a.turn.Country, err)...)
	if a.card && len(others) == 0 {
		wrong := cardFaults(err)
		if typed.saved != "" && typed.saved != "0" { // the code is all there is to correct
			left := fieldCode
			if expiryOnly(a.turn) {
				left = fieldExpiry
			}
			wrong = slices.DeleteFunc(wrong, func(f fault) bool { return f.field != left })
		}
		faults = append(faults, wrong...)
	}
	return general(append(faults, others...), a.card)
}

// general is what there is to say where no field is to blame.
func general(faults []fault, card bool) []fault {
	switch {
	case len(faults) > 0:
		return faults
	case card:
		return []fault{{rule: refused}}
	}
	return []fault{{rule: refusedMethod}}
}

// wholeFaults are those of the fields that do not depend on the method.
func wholeFaults(err *gateway.Error) (faults []fault) {
	for _, named := range err.Faults {
		switch {
		case named.Path == "amount", named.Path == "order.amount":
			faults = append(faults, fault{field: fieldAmount, rule: badAmount})
		case strings.HasPrefix(named.Path, "payee"):
			faults = append(faults, fault{field: fieldPayee, rule: badPayee})
		case named.Path == fieldAgreement:
			faults = append(faults, fault{rule: changedTerms})
		case named.Path == "terms":
			faults = append(faults, fault{field: fieldTerms, rule: badTerms})
		}
	}
	return faults
}

func cardFaults(err *gateway.Error) []fault {
	var faults []fault
	for _, named := range err.Faults {
		switch path := named.Path; {
		case strings.HasPrefix(path, "customer."), strings.HasPrefix(path, "billing_address."), strings.HasPrefix(path, "payee"):
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
