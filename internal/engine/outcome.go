package engine

import (
	"bytes"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// copyAnswer copies an answer into the transaction.
func (s *Settlement) copyAnswer(a methods.Answer, event state.Event, doubt string) {
	t := s.Transaction
	t.Outcome = outcomes[event]
	t.Reason, t.Soft = "", false
	again := s.o.mark == nil && len(a.Continuation) > 0 && bytes.Equal(a.Continuation, t.Continuation)
	t.Accepted = t.Accepted || !s.absent && confirms(t, a)
	if names(&a, t) { // an answer about another operation tells nothing of this one
		s.copyFacts(a, event)
	}
	switch event {
	case state.Redirect, state.ThreeDS, state.Init: // the payer's new step replaces the earlier one
		t.Display, t.Prompts = a.Display, a.Prompts
		if s.o.led = true; s.o.sealed != nil {
			t.SealedRedirect = s.o.sealed
		}
		if leadsOn(a, event) {
			newStage(t, again, s.Now)
		}
	case state.Waiting:
		if a.Display != nil {
			t.Display, t.Prompts = a.Display, nil
		}
	default: // the payer stays where they are
	}
	if len(t.Prompts) > 0 && !slices.EqualFunc(t.Prompts, t.PromptsAnswered, store.Prompt.Equal) {
		t.AnswerCount = 0 // a new prompt
	}
	if t.AnswerCount >= MaxAnswers {
		t.Prompts = nil
	}
	if t.Outcome.Final() {
		t.Review = "" // no person has to decide it any more
	}
	switch t.Outcome {
	case store.Fail:
		t.Reason, t.Soft = reasonOf(a), a.Soft || a.Result == methods.ResultNotSent
	case store.InDoubt:
		if doubt != "" && t.Review == "" {
			t.Review = doubt
		}
	default: // neither a reason nor a doubt
	}
	if doubt != "" {
		a.Again = 0 // what is not believed has no wish either
	}
	s.o.mark.ended(t, a, event)
	s.schedule(a)
}

// copyFacts copies what an answer says of the operation. From an approval that is believed it also takes the amount, if
// the payer chose it.
func (s *Settlement) copyFacts(a methods.Answer, event state.Event) {
	if a.Reference != "" {
		s.Transaction.Reference = a.Reference
	}
	if len(a.Continuation) > 0 {
		s.Transaction.Continuation = a.Continuation
	}
	if a.Facts != (store.Facts{}) {
		given := s.Transaction.Facts.ThreeDS
		s.Transaction.Facts = a.Facts
		if s.Transaction.SealedMPI != nil { // from an external 3-D Secure: stored as given
			s.Transaction.Facts.ThreeDS = given
		}
	}
	s.learnExtras(a)
	if s.Transaction.AmountOpen && event == state.Approved {
		currency, _ := s.settler.Currencies.Lookup(s.Transaction.Currency)
		s.Transaction.Amount, s.Transaction.AmountOpen, s.Payment.Amount = a.Amount, false, a.Amount
		s.chosen = true
		s.Payment.Order.Amount = methods.FormatAmount(methods.FormatOf(&s.Payment.Payment), currency, a.Amount)
	}
}

// reasonOf returns why an operation failed, in the words for the merchant and the payer.
func reasonOf(a methods.Answer) string {
	switch {
	case a.Result == methods.ResultNotSent:
		return store.ReasonUnreached
	case a.Reason == "":
		return store.ReasonProcessing
	default:
		return store.HideDigits(truncate(a.Reason, 1024)) // it may contain a card number, and goes to callbacks and pages
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

// schedule sets when recovery looks again; a closed transaction has no such time.
func (s *Settlement) schedule(a methods.Answer) {
	if s.Transaction.Outcome.Final() {
		s.Transaction.Due, s.Transaction.SealedCode, s.Transaction.SealedRedirect, s.Transaction.SealedCard,
			s.Transaction.Continuation = time.Time{}, nil, nil, nil, nil
		s.Transaction.Display, s.Transaction.Prompts, s.Transaction.PromptsAnswered, s.Transaction.SealedMPI,
			s.Transaction.SealedSent,
			s.Transaction.SealedWallet = nil, nil, nil, nil, nil, nil
		s.Transaction.Returning, s.Transaction.Answering, s.Transaction.DoneAt = nil, nil, s.Now
		s.Transaction.DeadlineAt, s.Transaction.Accepted = time.Time{}, false
		return
	}
	if s.asked && s.o.mark == nil {
		// Only now: a crash during the question does not count, and neither does a payer's reload.
		s.Transaction.RecoveryAttempts++
	}
	next := store.Moment(s.Now.Add(again(s.Transaction.RecoveryAttempts, a.Again)))
	s.Transaction.Due = due.Earlier(next, erasesAt(s.Transaction))
}

// moveStatus changes status and amounts by a row of the state table.
func (s *Settlement) moveStatus(row state.Row, event state.Event) {
	p, t := s.Payment, s.Transaction
	p.Status = row.To
	if event == state.Approved {
		s.moveAmounts()
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

// moveAmounts updates the amounts after an approved operation.
func (s *Settlement) moveAmounts() {
	p, t := s.Payment, s.Transaction
	switch t.Operation {
	case store.OpAuth:
		p.Authorized = t.Amount
	case store.OpCapture:
		p.Captured, p.CapturedAt = t.Amount, s.Now
	case store.OpRefund:
		p.Refunded = p.Refunded.Add(t.Amount)
	case store.OpReversal:
		if !p.Captured.IsZero() { // a captured debit is reversed
			p.Refunded = p.Captured
		}
	case store.OpSale, store.OpDebit, store.OpTransfer, store.OpCredit:
		p.Authorized, p.Captured, p.CapturedAt = t.Amount, t.Amount, s.Now
	case store.OpVoid, store.OpChargeback, store.OpCalc:
	}
}
