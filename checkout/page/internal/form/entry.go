package form

import (
	"net/url"
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

// The fields of the form, except those of a method and of the payer.
const (
	FieldAmount = "amount"
	FieldPayee  = "payee_card"
	FieldTerms  = "terms"
	FieldNumber = "card_number"
	FieldExpiry = "expiry"
	FieldCode   = "cvv"
	FieldName   = "name"
)

// Entry is what a payer typed. It is never printed: number and code stay in this package as text only until they
// are parsed.
type Entry struct {
	Attempt                    int
	number, expiry, code, name string
	Method                     string            // code of the method
	Answers                    map[string]string // to the method's questions, by name
	Saved                      string            // place of the saved card, from 1; 0 for another card
	payee, Amount              string            // card number of the payee, and the amount
	Fields                     map[string]string // fields of the payer, by path
	Terms                      bool
	agreement                  string // the terms that the form showed
}

// Read reads the form as it was sent. An attempt that is not a number counts as none.
func Read(form url.Values) Entry {
	attempt, err := strconv.Atoi(form.Get("attempt"))
	if err != nil {
		attempt = -1
	}
	return Entry{
		Attempt: attempt, number: form.Get(FieldNumber), expiry: form.Get(FieldExpiry),
		Method: form.Get(fieldMethod), code: form.Get(FieldCode),
		name:  strings.Join(strings.Fields(clean.Visible(form.Get(FieldName))), " "),
		Saved: form.Get(FieldSaved), payee: form.Get(FieldPayee), Amount: form.Get(FieldAmount),
		Terms: form.Get(FieldTerms) != "", agreement: form.Get(fieldAgreement),
	}
}

// card checks the card that is typed or chosen and returns every fault, in the order of the page. saved is the
// place of a saved card, for which only the security code is typed.
func (e Entry) card(next *gateway.NextAction, now time.Time) (card methods.Card, saved int, faults []Mistake) {
	var err error
	saved, ok := ChosenCard(next, e.Saved, now)
	if !ok {
		faults = append(faults, Mistake{Field: FieldNumber, Rule: badNumber})
	}
	switch {
	case ExpiryOnly(next) && saved == 0 && ok:
		faults = append(faults, Mistake{Field: FieldSaved + "-1", Rule: badNumber})
	case ExpiryOnly(next):
		faults = append(faults, e.typedExpiry(&card, now)...)
	case saved == 0 && ok:
		faults = append(faults, e.typed(&card, now)...)
	}
	blank := next.Code == gateway.CodeOptional && clean.Visible(e.code) == ""
	if next.Code != gateway.CodeNone && !blank {
		if card.Code, err = cardinput.Code(e.code); err != nil {
			faults = append(faults, Mistake{Field: FieldCode, Rule: badCode})
		}
	}
	if next.NeedName && saved == 0 {
		card.Holder = e.name
		if !cardinput.Holder(e.name) {
			faults = append(faults, Mistake{Field: FieldName, Rule: badName})
		}
	}
	return card, saved, faults
}

// typed reads number and expiry.
func (e Entry) typed(card *methods.Card, now time.Time) (faults []Mistake) {
	var err error
	if card.PAN, err = cardinput.PAN(e.number); err != nil {
		faults = append(faults, Mistake{Field: FieldNumber, Rule: badNumber})
	}
	return append(faults, e.typedExpiry(card, now)...)
}

func (e Entry) typedExpiry(card *methods.Card, now time.Time) (faults []Mistake) {
	var err error
	if strings.TrimSpace(clean.Visible(e.expiry)) == "" {
		return []Mistake{{Field: FieldExpiry, Rule: BlankExpiry}}
	}
	if card.Expiry, err = cardinput.Expiry(e.expiry, now); err != nil {
		faults = append(faults, Mistake{Field: FieldExpiry, Rule: badExpiry})
	}
	return faults
}

// Keep returns what may be shown again: the expiry and the name. Number and code never are, nor anything that
// could be one of them typed into the wrong field.
func (e Entry) Keep() (expiry, name string) {
	if _, err := cardinput.AnyExpiry(e.expiry); err == nil {
		expiry = clean.Visible(e.expiry)
	}
	if utf8.RuneCountInString(e.name) <= cardinput.MaxName && !strings.ContainsFunc(e.name, unicode.IsNumber) {
		name = e.name
	}
	return expiry, name
}
