package page

import (
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
)

// The form carries the name of what it shows its payer to agree to. A payment by a form that shows something else than
// what holds now gets the form as it is now, and says so.

// readAgain is the parameter of the page's address by which the script of the wallets asks for the notice.
const readAgain = "changed"

// showChanged draws the form as it is now for a payer who has read another: the terms have to be agreed to anew.
func (p *pages) showChanged(w http.ResponseWriter, r *http.Request, typed form.Entry, faults []form.Fault) {
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

// sentBack are the faults of a page that the script of the wallets opens anew.
func sentBack(r *http.Request) []form.Fault {
	if r.Method == http.MethodGet && r.URL.Query().Has(readAgain) {
		return []form.Fault{{Rule: form.ChangedTerms}}
	}
	return nil
}
