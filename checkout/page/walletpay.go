package page

import (
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
)

// walletAnswer says to the script how a payment by wallet went, since the wallet shows it before the page goes on.
type walletAnswer struct {
	Result string        `json:"result"` // success, or fail
	Faults []walletFault `json:"faults,omitempty"`
	// Changed says that the page shows what does not hold any more: it has to be opened anew.
	Changed bool `json:"changed,omitempty"`
}

// walletFault is what the payer has to put right before they try again. Field is the id of an element, empty
// where none is to blame.
type walletFault struct {
	Field string `json:"field"`
	Text  string `json:"text"`
}

// resultOf is what a wallet shows at the end: fail where the payer is to pay anew, or cannot.
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

// faultsAnswer says to the script what is wrong.
func faultsAnswer(t *Texts, faults []form.Fault) walletAnswer {
	answer := walletAnswer{Result: "fail"}
	for _, f := range faults {
		answer.Faults = append(answer.Faults, walletFault{f.Field, form.Wording(t, f)})
	}
	return answer
}

// goOn sends the browser to the page, which shows the turn. The script of the wallets gets the result: it
// goes there by itself.
func (p *pages) goOn(w http.ResponseWriter, r *http.Request, next *gateway.NextAction) {
	if scripted(r) {
		writeJSON(w, http.StatusOK, walletAnswer{Result: resultOf(next)})
		return
	}
	seeOther(w, pageLink(fromForm, r))
}
