package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// outcome is an answer with what has to be made before the transaction that applies it, and what it did.
type outcome struct {
	answer methods.Answer
	away   *store.Redirect          // where the payer has to go
	sealed []byte                   // the same, for a payer who reloads
	page   *StatusPage              // stored when the payer is sent away and no session has a page for them
	next   *Operation               // the attempt that follows a soft decline
	also   func(*store.Transaction) // something more to record, should the transaction still be open
	mark   *callMark                // of the call that it is the answer of
	seal   seal.Now

	changed, cascaded bool
}

// Settlement is one application of an answer: the records it changes and what it needs to know.
type Settlement struct {
	settler     *settler
	Tx          store.Tx
	Merchant    Merchant
	Now         time.Time
	Payment     *store.Payment
	Transaction *store.Transaction
	asked       bool
	absent      bool
	moved       bool // since the caller that brings the answer looked at it: recovery may have sent it again, or it was heard of
	oldDue      time.Time
	o           *outcome
	chosen      bool // the amount that the payer chose has just become known
}

// take applies an answer and reports whether anything changed.
func (s *Settlement) take(answer methods.Answer) (changed bool, err error) {
	event, doubt := s.event(answer)
	if s.Transaction.Outcome.Final() {
		s.o.cascaded = s.o.next != nil && s.Payment.Next == s.o.next.Payment.ID // committed, which the store could not say
		return s.contradicted(event)
	}
	s.record()
	was, status := s.Transaction.Outcome, s.Payment.Status
	if s.asked && event == state.Waiting && was == store.Waiting {
		s.copyAnswer(answer, event, doubt) // still the same: a payer at the issuer's page stays there
		return true, s.save()
	}
	row, ok := s.row(event)
	if !ok && event != state.Unknown { // a redirect for a refund, say: it cannot be, so the outcome is unknown
		event, doubt = state.Unknown, fmt.Sprintf("unexpected answer %q", answer.Result)
		row, ok = s.row(event)
	}
	if !ok {
		return false, fmt.Errorf("no row for %s %s %s %s", s.Payment.Kind, s.Payment.Status, s.Transaction.Operation, event)
	}
	s.copyAnswer(answer, event, doubt)
	if s.Transaction.Outcome == was && row.To == status {
		return true, s.save() // the same not-yet again: nothing to tell
	}
	s.moveStatus(row, event)
	return true, s.finish(row)
}

// record puts into an open transaction what comes with the answer from elsewhere.
func (s *Settlement) record() {
	if s.o.sealed != nil {
		s.Transaction.SealedRedirect = s.o.sealed
	}
	if s.o.also != nil {
		s.o.also(s.Transaction)
	}
}

// finish writes what a row of the table leads to: the page the payer is sent to, the next attempt or the
// callback, what the session learns, and the records.
func (s *Settlement) finish(row state.Row) error {
	if err := s.open(); err != nil {
		return err
	}
	if err := s.release(); err != nil {
		return err
	}
	if s.chosen {
		if err := s.count(); err != nil {
			return err
		}
	}
	if err := s.cascade(row); err != nil {
		return err
	}
	if err := s.consequences(); err != nil {
		return err
	}
	if err := s.queue(row); err != nil {
		return err
	}
	return s.save()
}

// consequences does what the outcome leads to outside of the engine. Some change what the callback tells.
func (s *Settlement) consequences() error {
	for _, c := range s.settler.Consequences {
		if !c.When(s) {
			continue
		}
		if err := c.Do(s); err != nil {
			return err
		}
	}
	return nil
}

// Next is the attempt that follows this one, which was declined softly; nil where none does.
func (s *Settlement) Next() *Operation {
	if !s.o.cascaded {
		return nil
	}
	return s.o.next
}

// EndsCharge reports the outcome of the charge that counts: the payment's first, or its newest try.
func (s *Settlement) EndsCharge() bool {
	return s.Transaction.ID == s.Payment.ChargeID() && s.Transaction.Outcome.Final()
}

// open stores the page of a payment whose payer is sent away and has none yet.
func (s *Settlement) open() error {
	away := s.Transaction.Outcome == store.Waiting &&
		(s.o.away != nil || s.Transaction.Display != nil || len(s.Transaction.Prompts) > 0)
	if s.o.page == nil || s.Payment.SessionID != "" || !away {
		return nil
	}
	return s.o.page.Insert(s.Tx, s.Payment)
}

// row is the row of the state table for an event, as the payment stands.
func (s *Settlement) row(event state.Event) (state.Row, bool) {
	guard := state.Always
	if s.keepsSettled() {
		guard = state.Kept
	}
	return state.Next(state.Key{Kind: s.Payment.Kind, From: s.Payment.Status, Op: s.Transaction.Operation, Event: event,
		Guard: guard})
}

// keepsSettled reports a refund that leaves something, under partial_refund_status: settled.
func (s *Settlement) keepsSettled() bool {
	if s.Transaction.Operation != store.OpRefund || !s.Merchant.Mapping(s.Payment.Protocol).PartialRefundSettled {
		return false
	}
	return s.Payment.Refunded.Add(s.Transaction.Amount).Cmp(s.Payment.Captured) < 0
}

// contradicted marks a closed transaction that later evidence speaks against: a charge that appears
// after it was declined is a breach that a person has to look at. The record stays as it is.
func (s *Settlement) contradicted(event state.Event) (changed bool, err error) {
	against := s.Transaction.Outcome == store.Fail && event == state.Approved ||
		s.Transaction.Outcome == store.Success && event == state.Refused
	breach := fmt.Sprintf("closed as %s, later told %s", s.Transaction.Outcome, event)
	if !against || s.Transaction.Review == breach {
		return false, nil
	}
	s.Transaction.Review = breach
	if err := s.Tx.Put(records.KeyOfBreach(s.Transaction.ID), []byte{}); err != nil {
		return false, err
	}
	return true, s.save()
}

// save writes the records back and moves the recovery entry.
func (s *Settlement) save() error {
	s.Payment.Version++
	s.Payment.UpdatedAt = s.Now
	s.Transaction.Version++
	if err := records.MoveDue(s.Tx, s.Transaction, s.oldDue); err != nil {
		return err
	}
	if err := s.unlist(); err != nil {
		return err
	}
	if err := records.Transactions.Put(s.Tx, *s.Transaction, s.Transaction.ID); err != nil {
		return err
	}
	return records.Payments.Put(s.Tx, *s.Payment, s.Payment.ID)
}

// unlist takes a transaction that was set aside from the list, once its outcome came otherwise.
func (s *Settlement) unlist() error {
	if !s.Transaction.Outcome.Final() {
		return nil
	}
	_, err := due.Unlist(s.Tx, store.WorkRecovery, s.Transaction.ID)
	return err
}

// count adds the amount that the payer of an open transaction chose to what was taken. The money is taken:
// a limit refuses only what comes after.
func (s *Settlement) count() (err error) {
	s.Transaction.CountedInLimits, err = addToLimits(s.Tx, s.bounds(), s.Transaction)
	return err
}

func (s *Settlement) bounds() bounds {
	return boundsOf(s.Merchant, s.Payment, s.Merchant.MID(s.Transaction.MIDID))
}

// release gives back what a charge that failed had taken of its limits.
func (s *Settlement) release() error {
	if !s.Transaction.CountedInLimits || s.Transaction.Outcome != store.Fail {
		return nil
	}
	s.Transaction.CountedInLimits = false
	return s.bounds().each(s.Transaction, func(key []byte, _ store.Amount, _ *refusal.Error) error {
		sum, err := readSum(s.Tx, key)
		if err != nil {
			return err
		}
		left, ok := sum.Sub(s.Transaction.Amount)
		if !ok {
			return nil // the limit was set while the charge ran: nothing of it was counted
		}
		return s.Tx.Put(key, []byte(left.String()))
	})
}

// Consequence is what an outcome leads to, within the transaction that applies it.
type Consequence struct {
	Name string
	// Before asks for what Do cannot ask for inside a transaction. A fault is logged.
	Before func(context.Context, methods.Answer) error
	When   func(*Settlement) bool
	Do     func(*Settlement) error
}
