package page

import (
	"net/http"
	"slices"

	"github.com/tollgatepay/gateway"
)

// The form carries the name of what it shows its payer to agree to. A payment by a form that shows something else than
// what holds now gets the form as it is now, and says so.

const (
	fieldAgreement = "agreement"
	// readAgain is the parameter of the page's address by which the script of the wallets has the payer told.
	readAgain = "changed"
)

// outdated is the fault of a form that was read before its terms changed. A form without the name is a host's own.
func outdated(turn *gateway.Turn, typed *entry) []fault {
	if typed.agreement == "" || typed.agreement == turn.Agreement {
		return nil
	}
	return []fault{{rule: changedTerms}}
}

// isOutdated reports that fault.
func isOutdated(faults []fault) bool {
	return slices.ContainsFunc(faults, func(f fault) bool { return f.rule == changedTerms })
}

// showChanged draws the form as it is now for a payer who has read another: the terms have to be agreed to anew.
func (p *pages) showChanged(w http.ResponseWriter, r *http.Request, typed entry, faults []fault) {
	turn, err := p.turn(r)
	switch {
	case err != nil:
		p.failed(w, r, fromPage, err, nil)
	case turn.Kind != gateway.TurnForm:
		p.goOn(w, r, turn)
	case scripted(r):
		writeJSON(w, http.StatusUnprocessableEntity, walletAnswer{Result: "fail", Changed: true})
	default:
		typed.terms = false
		p.showForm(w, r, turn, typed, faults)
	}
}

// sentBack are the faults of a page that the script of the wallets opens anew.
func sentBack(r *http.Request) []fault {
	if r.Method == http.MethodGet && r.URL.Query().Has(readAgain) {
		return []fault{{rule: changedTerms}}
	}
	return nil
}
