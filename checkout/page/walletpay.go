package page

import (
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
)

// walletAnswer reports to the script how a payment by wallet ended, because the wallet shows it before the page
// goes on.
type walletAnswer struct {
	Result string        `json:"result"` // success, or fail
	Faults []walletFault `json:"faults,omitempty"`
	// Changed says that the page's terms have changed: the script has to open it again.
	Changed bool `json:"changed,omitempty"`
}

// walletFault is what the payer has to correct before they try again. Field is the id of an element; empty when
// none is at fault.
type walletFault struct {
	Field string `json:"field"`
	Text  string `json:"text"`
}

// resultOf returns what a wallet shows at the end: fail when the payer has to pay again, or cannot.
func resultOf(next *gateway.NextAction) string {
	switch next.Kind {
	case gateway.ActionCollect:
		return "fail"
	case gateway.ActionReturn:
		switch next.Status {
		case gateway.ReturnDeclined, gateway.ReturnCancelled, gateway.ReturnExpired:
			return "fail"
		}
	}
	return "success"
}

// faultsAnswer reports the faults to the script.
func faultsAnswer(t *Texts, faults []form.Mistake) walletAnswer {
	answer := walletAnswer{Result: "fail"}
	for _, f := range faults {
		answer.Faults = append(answer.Faults, walletFault{f.Field, form.Wording(t, f)})
	}
	return answer
}

// goOn sends the browser to the page, which shows the next action. The script of the wallets gets the result and
// opens the page itself.
func (p *pages) goOn(w http.ResponseWriter, r *http.Request, next *gateway.NextAction) {
	if scripted(r) {
		writeJSON(w, http.StatusOK, walletAnswer{Result: resultOf(next)})
		return
	}
	seeOther(w, pageLink(fromForm, r))
}
