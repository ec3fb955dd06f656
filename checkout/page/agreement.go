package page

import (
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
)

// The form has a name for the terms that its payer agrees to. A payment by a form with other terms than the
// current ones gets the current form with a notice.

// readAgain is the URL parameter with which the script of the wallets asks for the notice.
const readAgain = "changed"

// showChanged shows the current form to a payer who has read an earlier one: they have to agree to the terms
// again.
func (p *pages) showChanged(w http.ResponseWriter, r *http.Request, typed form.Entry, faults []form.Mistake) {
	next, err := p.next(r)
	switch {
	case err != nil:
		p.failed(w, r, fromPage, err, nil)
	case next.Kind != gateway.ActionCollect:
		p.goOn(w, r, next)
	case scripted(r):
		writeJSON(w, http.StatusUnprocessableEntity, walletAnswer{Result: "fail", Changed: true})
	default:
		typed.Terms = false
		p.showForm(w, r, next, typed, faults)
	}
}

// sentBack returns the faults of a page that the script of the wallets opens again.
func sentBack(r *http.Request) []form.Mistake {
	if r.Method == http.MethodGet && r.URL.Query().Has(readAgain) {
		return []form.Mistake{{Rule: form.ChangedTerms}}
	}
	return nil
}
