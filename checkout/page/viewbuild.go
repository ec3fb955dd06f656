package page

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// plainView returns a view with nothing but texts. next selects the language; it is nil without a session.
func (p *pages) plainView(r *http.Request, next *gateway.NextAction, page, root string) *View {
	t, browser := textsOf(r, next)
	v := &View{T: t, Lang: t.Lang, Dir: t.Dir, Page: page, root: root, assets: p.assets, browser: browser}
	if next != nil {
		v.formID = next.FormID
	}
	return v
}

// view starts the view of an action.
func (p *pages) view(r *http.Request, next *gateway.NextAction, page string) *View {
	v := p.plainView(r, next, page, fromPage)
	v.Test, v.ExpiresAt, v.Description = next.Test, next.ExpiresAt, clean.Shown(next.Order.Description)
	v.names(next)
	v.Title = operationWords(v.T, next, v.Merchant, "").Title
	v.amounts(next)
	return v
}

// names sets the merchant and the order of the view.
func (v *View) names(next *gateway.NextAction) {
	merchant := clean.Shown(next.Merchant)
	v.Merchant, v.OrderNumber = merchant, clean.Shown(next.Order.Number)
	first, size := utf8.DecodeRuneInString(merchant)
	if size > 0 && (unicode.IsLetter(first) || unicode.IsDigit(first)) {
		v.Initial = string(unicode.ToUpper(first))
	}
}

// amounts leaves the amount out when the payer enters it here; when they enter it on a later page, only the
// currency is shown.
func (v *View) amounts(next *gateway.NextAction) {
	currency, amount := clean.Shown(next.Order.Currency), clean.Shown(next.Order.Amount)
	switch {
	case next.NeedAmount:
		return
	case amount == "" && (next.Kind == gateway.ActionCollect || next.Kind == gateway.ActionRedirect):
		v.AmountNote = v.T.AmountNext
	}
	v.Amount = localeOf(v.T).Money(amount, currency)
	v.AmountSent = strings.TrimSpace(amount + " " + currency)
	if vat := next.VAT; vat != nil {
		tax := localeOf(v.T).Money(clean.Shown(vat.Amount), currency)
		if vat.Rate != "" {
			tax += " (" + clean.Shown(vat.Rate) + ")"
		}
		v.VAT = texts.Say(v.T, v.T.VAT, tax)
	}
}

// textsOf returns the texts for a request. next has the languages of the session and its merchant, and is nil
// without a session. browser reports whether Accept-Language was used.
func textsOf(r *http.Request, next *gateway.NextAction) (t *Texts, browser bool) {
	accept := strings.Join(r.Header.Values("Accept-Language"), ",")
	if next == nil {
		return texts.For("", "", accept)
	}
	return texts.For(next.Language, next.Default, accept)
}
