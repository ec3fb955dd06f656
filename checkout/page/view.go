package page

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/internal/asset"
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
	Amount      string // as the language writes money: "€1,234.50"
	AmountSent  string // as the merchant sent it: "1234.50 EUR"
	AmountNote  string // where the amount is entered on a page to come
	VAT         string // the tax that the amount contains: "Includes VAT: €1.60 (19%)"; empty for none
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
	formID  string // which templates draw it
	assets  asset.Set
	browser bool // the browser had a say in the language
}

// FormFault is one line of the summary of errors. Field is empty where none is to blame.
type FormFault struct{ Field, Text string }

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

// Asset is one file of ours that a page loads.
type Asset struct {
	URL       string // relative to the page
	Integrity string // for the integrity attribute
}

// Asset is the URL and integrity of a file of ours, like "page.css".
func (v *View) Asset(name string) Asset {
	file := v.assets.Named[name]
	return Asset{v.root + "page/assets/" + file.URL, file.Integrity}
}

// Scripts are the files that a page needs. All pages work without.
func (v *View) Scripts() []Asset {
	switch {
	case v.Form != nil:
		list := []Asset{v.Asset("page.js")}
		if v.Form.TakesCard() || v.Form.NeedPayeeCard {
			list = append(list, v.Asset("rules.js"), v.Asset("card.js"))
		}
		if len(v.Form.Wallets) > 0 {
			list = append(list, v.Asset("wallet.js"))
		}
		return list
	case v.Ask != nil:
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

// Wallet is a wallet beside the view, for the template that draws what the payer owes beside it.
func (v *View) Wallet(w WalletView) NeedView {
	return NeedView{v, MethodView{Asks: w.Asks, Fields: w.Fields}}
}

// Number is a field for the number of a card, for the template that draws it.
func (v *View) Number(id, label, autocomplete string) NumberView {
	return NumberView{v, id, label, autocomplete}
}

// NumberView is a field for the number of a card.
type NumberView struct {
	View                    *View
	ID, Label, Autocomplete string
}

// OptionalLabel is the label of a field that may stay empty.
func (v *View) OptionalLabel(label string) string { return texts.Say(v.T, v.T.Optional, label) }

// plainView is a view with nothing but texts. Turn says in which language, and is nil where there is none.
func (p *pages) plainView(r *http.Request, turn *gateway.Turn, page, root string) *View {
	t, browser := textsOf(r, turn)
	v := &View{T: t, Lang: t.Lang, Dir: t.Dir, Page: page, root: root, assets: p.assets, browser: browser}
	if turn != nil {
		v.formID = turn.FormID
	}
	return v
}

// view starts the view of a turn.
func (p *pages) view(r *http.Request, turn *gateway.Turn, page string) *View {
	v := p.plainView(r, turn, page, fromPage)
	v.Test, v.ExpiresAt, v.Description = turn.Test, turn.ExpiresAt, clean.Shown(turn.Order.Description)
	v.names(turn)
	v.Title = operationWords(v.T, turn, v.Merchant, "").Title
	v.amounts(turn)
	return v
}

// names tells whose page it is, and of which order.
func (v *View) names(turn *gateway.Turn) {
	merchant := clean.Shown(turn.Merchant)
	v.Merchant, v.OrderNumber = merchant, clean.Shown(turn.Order.Number)
	if first, size := utf8.DecodeRuneInString(merchant); size > 0 && (unicode.IsLetter(first) || unicode.IsDigit(first)) {
		v.Initial = string(unicode.ToUpper(first))
	}
}

// amounts are left out where the payer enters the amount here; where he does so on a page to come the
// currency is all there is to show.
func (v *View) amounts(turn *gateway.Turn) {
	currency, amount := clean.Shown(turn.Order.Currency), clean.Shown(turn.Order.Amount)
	switch {
	case turn.NeedAmount:
		return
	case amount == "" && (turn.Kind == gateway.TurnForm || turn.Kind == gateway.TurnForward):
		v.AmountNote = v.T.AmountNext
	}
	v.Amount = localeOf(v.T).Money(amount, currency)
	v.AmountSent = strings.TrimSpace(amount + " " + currency)
	if vat := turn.VAT; vat != nil {
		tax := localeOf(v.T).Money(clean.Shown(vat.Amount), currency)
		if vat.Rate != "" {
			tax += " (" + clean.Shown(vat.Rate) + ")"
		}
		v.VAT = texts.Say(v.T, v.T.VAT, tax)
	}
}

// fault is what the payer reads beside a field.
func faultText(t *Texts, f fault) string {
	switch f.rule {
	case blankAnswer:
		return texts.Say(t, t.BlankAnswer, texts.Word(t, f.label))
	case longAnswer:
		return texts.Say(t, t.LongAnswer, texts.Word(t, f.label))
	case badAnswer:
		return texts.Say(t, t.BadAnswer, texts.Word(t, f.label))
	case blankField:
		return texts.Say(t, t.BlankField, payerLabel(t, f.label))
	case badPayee: // beside the payer's own card
		return texts.Say(t, t.BadAnswer, t.PayeeNumber)
	case blankExpiry:
		return texts.Say(t, t.BlankField, t.Expiry)
	case badField:
		return texts.Say(t, t.BadField, payerLabel(t, f.label))
	}
	return map[rule]string{
		badNumber: t.BadNumber, badExpiry: t.BadExpiry, badCode: t.BadCode, badName: t.BadName,
		badMethod: t.BadMethod, changedTerms: t.Changed, badAmount: t.BadAmount, badTerms: t.BadTerms, refused: t.Refused, refusedMethod: t.RefusedMethod,
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

// textsOf are the texts for a request. Turn says what the session and its merchant want, and is nil where there is
// none. Browser reports whether the browser had a say.
func textsOf(r *http.Request, turn *gateway.Turn) (t *Texts, browser bool) {
	accept := strings.Join(r.Header.Values("Accept-Language"), ",")
	if turn == nil {
		return texts.For("", "", accept)
	}
	return texts.For(turn.Language, turn.Default, accept)
}
