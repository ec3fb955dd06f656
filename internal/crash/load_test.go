package crash

import (
	"encoding/json"
	"net/http"
	"time"
)

// burst is 8 to 32 people at once. It returns when the first of them sends his first request.
func (w *world) burst() {
	first := make(chan struct{}, 1)
	clerks := 20
	if w.dice.chance(25) {
		clerks = 90
	}
	for range 8 + w.dice.intN(25) {
		run := w.clerk
		if !w.dice.chance(clerks) {
			run = w.newShopper().run
		}
		w.people.Go(func() {
			select {
			case first <- struct{}{}:
			default:
			}
			run()
		})
	}
	<-first
}

func (w *world) newShopper() *shopper {
	s := &shopper{w: w, order: w.newOrder(w.dice.chance(30)), cards: w.wallet()}
	s.twice, s.tarry = w.dice.chance(15), w.dice.chance(70)
	if w.dice.chance(15) {
		s.hangUp = w.dice.between(time.Millisecond, 20*time.Millisecond)
	}
	return s
}

// wallet is the cards of a shopper: often one that works at once, else one with a story, and another
// try after it.
func (w *world) wallet() []string {
	stories := []string{
		declines, funds, threeDS, threeDS, threeDS, threeDS, threeDSNo, pending, pendingNo, unarrived, unheard, late, bank, bankNo,
	}
	if w.dice.chance(40) {
		return []string{settles, settles}
	}
	return []string{stories[w.dice.intN(len(stories))], settles, settles}
}

// clerk is the merchant's backend with a follow-up on a payment that was told to be paid. He does not
// know whether it is allowed, and refusals are fine.
func (w *world) clerk() {
	o := w.journal.paid(w.dice)
	if o == nil {
		return
	}
	kind, amount := "refund", []string{o.Amount, "3.00", "3.00", "5.00"}[w.dice.intN(4)]
	switch {
	case o.Hold && w.dice.chance(50):
		kind = "capture"
	case w.dice.chance(20):
		kind, amount = "void", ""
	}
	body, signed := map[string]any{"payment_id": o.Paid}, []string{o.Paid}
	if amount != "" {
		body["amount"], signed = amount, append(signed, amount)
	}
	r, err := w.client.call("/api/v1/payment/"+kind, body, signed...)
	if err != nil || r.status != http.StatusOK {
		return
	}
	var answer struct {
		Status      string `json:"status"`
		TransStatus string `json:"trans_status"`
	}
	if json.Unmarshal([]byte(r.body), &answer) != nil {
		return
	}
	f := followUp{Payment: o.Paid, Kind: kind, Verdict: answer.TransStatus}
	if kind == "void" {
		f.Verdict = answer.Status
	}
	w.journal.followed(f)
}
