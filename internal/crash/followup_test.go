package crash

import (
	"encoding/json"
	"net/http"
)

// clerk is the merchant's backend that makes a follow-up on a payment reported as paid. It does not know whether
// the follow-up is allowed; refusals are fine. Voiding the first payment of a chain ends the chain, so it voids
// none of those.
func (w *world) clerk() {
	o, fresh := w.journal.paid(w.dice)
	if o == nil {
		return
	}
	kind, amount := "refund", []string{o.Amount, "3.00", "3.00", "5.00"}[w.dice.intN(4)]
	switch {
	case o.Hold && w.dice.chance(50):
		kind = "capture"
	case o.Hold && w.dice.chance(50):
		amount = o.Amount // a hold is released whole
	case fresh && !o.Chain && !o.Hold && w.dice.chance(50):
		kind, amount = "void", ""
	}
	w.followUp(kind, o.Paid, amount)
}

// followUp makes the request and records the answer; a void has no amount.
func (w *world) followUp(kind, id, amount string) (f followUp) {
	f = followUp{Payment: id, Kind: kind, Answer: answerMissing}
	defer func() { w.journal.followed(f) }()
	body, signed := map[string]any{"payment_id": id}, []string{id}
	if amount != "" {
		body["amount"], signed = amount, append(signed, amount)
	}
	r, err := w.client.call("/api/v1/payment/"+kind, body, signed...)
	if err != nil {
		return f
	}
	f.Answer = answerRefused
	var answer struct {
		Status      string `json:"status"`
		TransStatus string `json:"trans_status"`
	}
	if r.status != http.StatusOK || json.Unmarshal([]byte(r.body), &answer) != nil {
		return f
	}
	f.Answer, f.Verdict = answerKept, answer.TransStatus
	if kind == "void" {
		f.Verdict = answer.Status
	}
	return f
}
