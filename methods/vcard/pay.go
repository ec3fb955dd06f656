package vcard

import (
	"errors"
	"net/http"
)

func (p pages) pay(w http.ResponseWriter, r *http.Request) {
	v, ok := p.visit(w, r, usePay)
	if !ok {
		return
	}
	e, err := p.acquirer.look(r.Context(), v)
	if err != nil {
		p.refuse(w, err)
		return
	}
	p.paying(w, v, e)
}

func (p pages) payDecision(w http.ResponseWriter, r *http.Request) {
	v, ok := p.visit(w, r, usePay)
	if !ok {
		return
	}
	e, err := p.decide(r, v)
	switch {
	case errors.Is(err, errAmount):
		p.asking(w, v, e, r.PostForm.Get("amount"), "Enter an amount above zero, like "+unit(e.Currency).String()+".")
	case err != nil:
		p.refuse(w, err)
	default:
		p.paying(w, v, e)
	}
}

// paying asks whether to pay while the payment waits, and shows the outcome afterwards.
func (p pages) paying(w http.ResponseWriter, v visit, e Entry) {
	shown := paid(e)
	switch {
	case e.awaits(usePay):
		p.asking(w, v, e, "", "")
		return
	case e.State == StateApproved:
		shown.Title, shown.Lead = "Paid", "The payment is made. You can close this window and go back to the shop."
	case e.State == StateDeclined:
		shown.Title, shown.Lead = "Not paid", e.Reason+". You can close this window and go back to the shop."
	default:
		shown.Title, shown.Lead = "Nothing to pay", "There is nothing to confirm at the moment."
	}
	p.show(w, http.StatusOK, ownForms, "done.html", shown)
}

// paid returns the view of a payment to pay.
func paid(e Entry) view {
	v := view{Currency: e.Currency, Merchant: e.Merchant, Card: e.Card, Open: !e.chosen()}
	if e.chosen() {
		v.Amount = e.Amount.String()
	}
	return v
}

// asking asks whether to pay and, for an open amount, how much. fault is what is wrong with what the payer
// entered.
func (p pages) asking(w http.ResponseWriter, v visit, e Entry, wrote, fault string) {
	shown := paid(e)
	shown.Title, shown.Lead = "Play the payer", "This plays the payer's app or bank of a test payment. No money moves."
	shown.Action, shown.Confirm, shown.Fail = "/pay/decision", "Confirm", "Refuse"
	shown.Hidden = []field{{"ticket", v.token}, {"payment", v.reference}}
	shown.Wrote, shown.Fault = wrote, fault
	status := http.StatusOK
	if fault != "" {
		status = http.StatusUnprocessableEntity
	}
	p.show(w, status, ownForms, "ask.html", shown)
}
