package page

import (
	"html/template"
	"time"

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

// ForwardView is the way to the issuer or a bank. With method GET it is a link, which keeps the URL
// exactly as it is; a form would write its query anew.
type ForwardView struct {
	Post   bool
	URL    template.URL // checked: http or https
	Params []store.RedirectParam
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
