package gateway

import (
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// What an answer makes of a transaction and its payment: facts, amounts, reasons, and when to look again.

// note copies what the answer tells into the transaction.
func (s *step) note(a methods.Answer, event state.Event, doubt string) {
	t := s.t
	t.Outcome = outcomes[event]
	t.Reason, t.Soft = "", false
	if a.Reference != "" {
		t.Reference = a.Reference
	}
	if len(a.Continuation) > 0 {
		t.Continuation = a.Continuation
	}
	s.learn(a, event)
	switch event {
	case state.Redirect, state.ThreeDS, state.Init: // what the payer has to do now stands for what they had to before
		t.Shown, t.Asks = a.Show, a.Ask
		newStage(t, s.now)
	case state.Waiting:
		if a.Show != nil {
			t.Shown, t.Asks = a.Show, nil
		}
	}
	if len(t.Asks) > 0 && !slices.EqualFunc(t.Asks, t.Answered, store.Ask.Equal) {
		t.Answers = 0 // he is asked something else
	}
	if t.Answers >= MaxAnswers {
		t.Asks = nil
	}
	if t.Outcome.Final() {
		t.Review = "" // whatever it was, nobody has to decide it any more
	}
	switch t.Outcome {
	case store.Fail:
		t.Reason, t.Soft = reasonOf(a), a.Soft || a.Result == methods.ResultNotSent
	case store.InDoubt:
		if doubt != "" && t.Review == "" {
			t.Review = doubt
		}
	}
	s.o.mark.ended(t, a, event)
	s.schedule(a)
}

// learn takes the facts of an answer, and of an approval that is believed the amount where the payer chose it.
func (s *step) learn(a methods.Answer, event state.Event) {
	if a.Facts != (store.Facts{}) {
		given := s.t.Facts.ThreeDS
		s.t.Facts = a.Facts
		if s.t.SealedMPI != nil { // of an external 3-D Secure: stored as given
			s.t.Facts.ThreeDS = given
		}
	}
	s.learnExtras(a)
	if s.t.Open && event == state.Approved {
		currency, _ := s.gw.currencies.Lookup(s.t.Currency)
		s.t.Amount, s.t.Open, s.p.Amount = a.Amount, false, a.Amount
		s.chosen = true
		s.p.Order.Amount = methods.FormatAmount(methods.FormatOf(s.p), currency, a.Amount)
	}
}

// reasonOf is why an operation failed, as the merchant and the payer read it.
func reasonOf(a methods.Answer) string {
	switch {
	case a.Result == methods.ResultNotSent:
		return "The acquirer could not be reached"
	case a.Reason == "":
		return "Declined by processing"
	default:
		return store.HideDigits(truncate(a.Reason, 1024)) // it may repeat a card number, and goes to callbacks and pages
	}
}

func truncate(text string, characters int) string {
	for i := range text {
		if characters == 0 {
			return text[:i]
		}
		characters--
	}
	return text
}

// schedule says when recovery has to look again; a closed transaction leaves nothing behind.
func (s *step) schedule(a methods.Answer) {
	if s.t.Outcome.Final() {
		s.t.Due, s.t.Held, s.t.Next, s.t.SealedCard, s.t.Continuation = time.Time{}, nil, nil, nil, nil
		s.t.Shown, s.t.Asks, s.t.Answered, s.t.SealedMPI, s.t.SealedSent, s.t.SealedWallet = nil, nil, nil, nil, nil, nil
		s.t.Returning, s.t.Answering, s.t.DoneAt = nil, nil, s.now
		return
	}
	if s.asked && s.o.mark == nil {
		s.t.Asked++ // only now: a crash while asking does not count, and neither does a payer who reloads
	}
	s.t.Due = due.Earlier(s.now.Add(again(s.t.Asked, a.Again)), erasesAt(s.t))
}

// move changes status and amounts by a row of the table.
func (s *step) move(row state.Row, event state.Event) {
	p, t := s.p, s.t
	p.Status = row.To
	if event == state.Approved {
		s.book()
	}
	if !t.Outcome.Final() {
		return
	}
	if t.Operation == store.OpRefund {
		p.Reserved, _ = p.Reserved.Sub(t.Amount)
	}
	if p.Running == t.ID {
		p.Running = ""
	}
	if t.ID == p.ChargeID() {
		p.Reason = t.Reason
	}
}

// book moves the amounts of an approved operation.
func (s *step) book() {
	p, t := s.p, s.t
	switch t.Operation {
	case store.OpAuth:
		p.Authorized = t.Amount
	case store.OpCapture:
		p.Captured, p.CapturedAt = t.Amount, s.now
	case store.OpRefund:
		p.Refunded = p.Refunded.Add(t.Amount)
	case store.OpReversal:
		if !p.Captured.IsZero() { // a debit that was taken goes back
			p.Refunded = p.Captured
		}
	case store.OpSale, store.OpDebit, store.OpTransfer, store.OpCredit:
		p.Authorized, p.Captured, p.CapturedAt = t.Amount, t.Amount, s.now
	case store.OpVoid, store.OpChargeback, store.OpCalc:
	}
}

// keepsSettled reports a refund that leaves something, under partial_refund_status: settled.
func (s *step) keepsSettled() bool {
	if s.t.Operation != store.OpRefund || !s.profile.mapping(s.p.Protocol).PartialRefundSettled {
		return false
	}
	return s.p.Refunded.Add(s.t.Amount).Cmp(s.p.Captured) < 0
}
