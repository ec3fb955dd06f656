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

// names sets whose page it is, and of which order.
func (v *View) names(turn *gateway.Turn) {
	merchant := clean.Shown(turn.Merchant)
	v.Merchant, v.OrderNumber = merchant, clean.Shown(turn.Order.Number)
	first, size := utf8.DecodeRuneInString(merchant)
	if size > 0 && (unicode.IsLetter(first) || unicode.IsDigit(first)) {
		v.Initial = string(unicode.ToUpper(first))
	}
}

// amounts are left out where the payer enters the amount here; where they do so on a page to come the
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

// textsOf are the texts for a request. Turn says what the session and its merchant want, and is nil where there is
// none. Browser reports whether the browser had a say.
func textsOf(r *http.Request, turn *gateway.Turn) (t *Texts, browser bool) {
	accept := strings.Join(r.Header.Values("Accept-Language"), ",")
	if turn == nil {
		return texts.For("", "", accept)
	}
	return texts.For(turn.Language, turn.Default, accept)
}
