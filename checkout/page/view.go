package page

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// View is what a template is given. Texts of the merchant are cleaned of control characters and of
// those that turn the direction of writing; html/template escapes them.
type View struct {
	T     *Texts
	Lang  string // of the texts, BCP 47, for the lang attribute
	Dir   string // ltr or rtl, for the dir attribute
	Page  string // form, forward, show, ask, wait, leave, result or problem
	Title string
	Test  bool // payments of this page are not real

	Merchant    string
	Initial     string // first letter of the merchant's name, empty without one
	Description string
	OrderNumber string
	Amount      string // grouped as the language does it, with the currency: "1,234.50 EUR"
	AmountSent  string // as the merchant sent it: "1234.50 EUR"
	ExpiresAt   time.Time

	Form    *FormView
	Forward *ForwardView
	Show    *ShowView
	Ask     *AskView
	Leave   *LeaveView
	Message Message // of a result or a problem
	Status  string  // of a result: paid, cancelled, declined, expired, undefined or returned
	Self    string  // link to the page itself, for waiting and for problems; empty where none is known

	root    string
	assets  assets
	browser bool // the browser had a say in the language
}

// FormView is the form: the methods to choose from, and the fields of the card where one takes it.
type FormView struct {
	Action, CancelAction   string // where the two forms go; CancelAction is empty where nothing cancels
	Attempt                int
	Methods                []MethodView
	NeedName               bool
	Expiry, Name           string // as typed before; number and code are never given
	Faults                 []FormFault
	Errors                 map[string]string // the same by field
	Declined               string            // empty unless the last attempt was declined
	Left                   string            // attempts left, in words
	Pay, Paying, Cancel    string            // the words of the buttons
	Focus                  string            // the field, or "declined" or "problems", that has the focus
	ErrorTexts             map[string]string // what the script says, by field
	Brands                 []Brand
	WarnExpiry, SayExpired string
}

// Choice holds where there is more than one method.
func (f *FormView) Choice() bool { return len(f.Methods) > 1 }

// TakesCard holds where one of the methods takes a card.
func (f *FormView) TakesCard() bool {
	return slices.ContainsFunc(f.Methods, func(m MethodView) bool { return m.Card })
}

// FormFault is one line of the summary of errors. Field is empty where none is to blame.
type FormFault struct{ Field, Text string }

// Brand is a card brand that the script can tell by the number.
type Brand struct{ ID, Name string }

// brands have a picture of our own drawing in assets/brand-<id>.svg.
var brands = []Brand{
	{"visa", "Visa"}, {"mastercard", "Mastercard"}, {"amex", "American Express"},
	{"diners", "Diners Club"}, {"discover", "Discover"}, {"jcb", "JCB"},
	{"unionpay", "UnionPay"}, {"maestro", "Maestro"},
}

// ForwardView is the way to the issuer or a bank. With method GET it is a link, which keeps the URL
// exactly as it is; a form would write its query anew.
type ForwardView struct {
	Post   bool
	URL    template.URL // checked: http or https
	Params []store.NextParam
	Bank   bool // it is the issuer that asks, not a page to pay on
}

// LeaveView is the way back to the merchant.
type LeaveView struct {
	URL      template.URL // checked: http or https
	Target   string
	Continue string
	Auto     bool // the script may open it; a new window needs the payer's click
}

// Asset is the URL and integrity of a file of ours, like "page.css".
func (v *View) Asset(name string) Asset {
	a := v.assets.named[name]
	a.URL = v.root + "page/assets/" + a.URL
	return a
}

// Scripts are the files that a page needs. All pages work without.
func (v *View) Scripts() []Asset {
	if v.Form != nil || v.Ask != nil {
		return []Asset{v.Asset("page.js")}
	}
	return []Asset{v.Asset("way.js")}
}

// Need is a method beside the view, for the template that draws what it asks for.
func (v *View) Need(m MethodView) NeedView { return NeedView{v, m} }

// NeedView is what a method of the form asks for.
type NeedView struct {
	View   *View
	Method MethodView
}

// plainView is a view with nothing but texts. Turn says in which language, and is nil where there is none.
func (p *pages) plainView(r *http.Request, turn *gateway.Turn, page, root string) *View {
	t, browser := textsOf(r, turn)
	return &View{T: t, Lang: t.Lang, Dir: t.Dir, Page: page, root: root, assets: p.assets, browser: browser}
}

// view starts the view of a turn.
func (p *pages) view(r *http.Request, turn *gateway.Turn, page string) *View {
	v := p.plainView(r, turn, page, fromPage)
	merchant := shown(turn.Merchant)
	v.Test, v.Merchant, v.Title, v.ExpiresAt = turn.Test, merchant, v.T.say(v.T.PayTitle, merchant), turn.ExpiresAt
	v.Description, v.OrderNumber = shown(turn.Order.Description), shown(turn.Order.Number)
	if first, size := utf8.DecodeRuneInString(merchant); size > 0 && (unicode.IsLetter(first) || unicode.IsDigit(first)) {
		v.Initial = string(unicode.ToUpper(first))
	}
	currency := shown(turn.Order.Currency)
	v.Amount = strings.TrimSpace(v.T.amount(shown(turn.Order.Amount)) + " " + currency)
	v.AmountSent = strings.TrimSpace(shown(turn.Order.Amount) + " " + currency)
	return v
}

// formView is the form with what was typed before and what is wrong with it.
func formView(t *Texts, turn *gateway.Turn, token, amount, merchant string, typed entry, faults []fault) *FormView {
	f := &FormView{
		Action: fromForm + token, Attempt: turn.Attempt, NeedName: turn.NeedName,
		Pay: strings.TrimSpace(t.say(t.Pay, amount)), Paying: t.Paying,
		Errors: map[string]string{}, Brands: brands, WarnExpiry: t.ExpiresSoon, SayExpired: t.Expired,
		ErrorTexts: map[string]string{fieldNumber: t.BadNumber, fieldExpiry: t.BadExpiry, fieldCode: t.BadCode, fieldName: t.BadName},
	}
	f.Expiry, f.Name = typed.keep()
	f.Methods = methodViews(t, choicesOf(turn), typed, faults)
	if turn.CanLeave {
		f.CancelAction, f.Cancel = fromForm+token+"/cancel", t.say(t.Cancel, merchant)
	}
	if turn.Declined != "" && len(faults) == 0 {
		f.Declined, f.Left, f.Focus = t.reason(turn.Declined, t.Declined), left(t, turn.Left), "declined"
	}
	for i, fault := range faults {
		text := t.fault(fault)
		f.Faults = append(f.Faults, FormFault{fault.field, text})
		f.Errors[fault.field] = text
		if i == 0 {
			f.Focus = fault.field
		}
	}
	if len(faults) > 0 && f.Focus == "" {
		f.Focus = "problems"
	}
	return f
}

// fault is what the payer reads beside a field.
func (t *Texts) fault(f fault) string {
	switch f.rule {
	case blankAnswer:
		return t.say(t.BlankAnswer, t.word(f.label))
	case longAnswer:
		return t.say(t.LongAnswer, t.word(f.label))
	case badAnswer:
		return t.say(t.BadAnswer, t.word(f.label))
	}
	return map[rule]string{
		badNumber: t.BadNumber, badExpiry: t.BadExpiry, badCode: t.BadCode, badName: t.BadName,
		badMethod: t.BadMethod, refused: t.Refused, refusedMethod: t.RefusedMethod,
	}[f.rule]
}

// left says how many attempts there are, or nothing where there is none to speak of.
func left(t *Texts, attempts int) string {
	switch {
	case attempts <= 0:
		return ""
	case attempts == 1:
		return t.LeftOne
	}
	return fmt.Sprintf(t.LeftMany, attempts)
}

// shown drops control characters and those that change the direction of the text around them, so that
// a description cannot rearrange the amount beside it.
func shown(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text))
}
