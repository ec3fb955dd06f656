package page

import (
	"html/template"
	"time"

	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/internal/asset"
	"github.com/tollgatepay/gateway/store"
)

// View is the data of a template. Texts of the merchant have no control characters and none that change the
// direction of writing; html/template escapes them. docs/compatibility.md does not cover it: templates are checked
// when the program starts.
type View struct {
	T     *Texts
	Lang  string // of the texts, BCP 47, for the lang attribute
	Dir   string // ltr or rtl, for the dir attribute
	Page  string // form, forward, show, ask, wait, leave, result or problem
	Title string
	Test  bool // payments of this page are not real

	Merchant    string
	Initial     string // first letter of the merchant's name; empty without one
	Description string
	OrderNumber string
	Amount      string // in the format of the language: "€1,234.50"
	AmountSent  string // as the merchant sent it: "1234.50 EUR"
	AmountNote  string // set when the amount is entered on a later page
	VAT         string // the tax in the amount: "Includes VAT: €1.60 (19%)"; empty without any
	ExpiresAt   time.Time

	Form    *FormView
	Forward *ForwardView
	Show    *ShowView
	Ask     *AskView
	Leave   *LeaveView
	Message Message // of a result or a problem
	Status  string  // of a result: paid, cancelled, declined, expired, undefined or returned
	Self    string  // link to the page itself, for waiting and for problems; empty when not known

	root    string
	formID  string // selects the templates
	assets  asset.Set
	browser bool // the language depends on the browser
}

// ForwardView is the way to the issuer or a bank. With method GET it is a link, which keeps the URL exactly; a
// form would write its query again.
type ForwardView struct {
	Post   bool
	URL    template.URL // checked: http or https
	Params []store.RedirectParam
	Bank   bool // an issuer's question, not a page to pay on
}

// LeaveView is the way back to the merchant.
type LeaveView struct {
	URL      template.URL // checked: http or https
	Target   string
	Continue string
	Auto     bool // the script may open it; a new window needs the payer's click
}

// Asset is one of our files that a page loads.
type Asset struct {
	URL       string // relative to the page
	Integrity string // for the integrity attribute
}

// Asset returns the URL and integrity of one of our files, like "page.css".
func (v *View) Asset(name string) Asset {
	file := v.assets.Named[name]
	return Asset{v.root + "page/assets/" + file.URL, file.Integrity}
}

// Scripts returns the files that a page loads. All pages work without them.
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

// Need returns a method together with the view, for the template of its fields.
func (v *View) Need(m MethodView) NeedView { return NeedView{v, m} }

// NeedView is what a method of the form asks for.
type NeedView struct {
	View   *View
	Method MethodView
}

// Wallet returns a wallet together with the view, for the template of its fields.
func (v *View) Wallet(w WalletView) NeedView {
	return NeedView{v, MethodView{Asks: w.Asks, Fields: w.Fields}}
}

// Number returns a field for a card number, for its template.
func (v *View) Number(id, label, autocomplete string) NumberView {
	return NumberView{v, id, label, autocomplete}
}

// NumberView is a field for the number of a card.
type NumberView struct {
	View                    *View
	ID, Label, Autocomplete string
}

// OptionalLabel returns the label of a field that may stay empty.
func (v *View) OptionalLabel(label string) string { return texts.Say(v.T, v.T.Optional, label) }
