package engine

import (
	"context"
	"errors"
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

// outcome is an answer, what has to be prepared before the transaction that applies it, and the effect.
type outcome struct {
	answer methods.Answer
	away   *store.Redirect            // where the payer has to go
	sealed []byte                     // the same, sealed for a payer who reloads
	page   *StatusPage                // stored when the payer is redirected and no session has a page for them
	next   *Operation                 // the attempt that follows a soft decline
	also   func(*records.Transaction) // another change to record, if the transaction is still open
	mark   *callMark                  // of the call that was answered
	seal   seal.Now

	changed, cascaded bool
	led               bool // to where the answer sends the payer
	queued            int  // the number of the callback that was queued; 0 for none

	result Result // the records as stored afterwards
}

// Settlement is one application of an answer: the records it changes and what it needs for that.
type Settlement struct {
	settler     *settler
	Tx          store.Tx
	Merchant    Merchant
	Now         time.Time
	Payment     *records.Payment
	Transaction *records.Transaction
	asked       bool
	absent      bool
	moved       bool // changed since the caller read it: recovery may have resent it, or a notification came
	overtaken   bool // the payer was led on or has brought something since, and the answer may be older than that
	crossed     bool // something else was sent to an acquirer that acts twice, so a decline may be of the call alone
	oldDue      time.Time
	o           *outcome
	chosen      bool // the amount that the payer chose has just become known
}

// take applies an answer and reports whether anything changed.
func (s *Settlement) take(answer methods.Answer) (changed bool, err error) {
	event, doubt := s.event(answer)
	if s.Transaction.Outcome.Final() {
		// An earlier commit that the store was not sure about may have made the next attempt.
		s.o.cascaded = s.o.next != nil && s.Payment.Next == s.o.next.Payment.ID
		return s.contradicted(event)
	}
	if s.outdated(event) {
		return false, nil
	}
	s.record()
	was, status := s.Transaction.Outcome, s.Payment.Status
	if s.asked && event == state.Waiting && was == store.Waiting {
		s.copyAnswer(answer, event, doubt) // still the same: a payer at the issuer's page stays there
		return true, s.save()
	}
	row, ok := s.row(event)
	if !ok && event != state.Unknown { // for example a redirect for a refund: impossible, so the outcome is unknown
		event, doubt = state.Unknown, fmt.Sprintf("unexpected answer %q", answer.Result)
		row, ok = s.row(event)
	}
	if !ok {
		return false, fmt.Errorf("no row for %s %s %s %s", s.Payment.Kind, s.Payment.Status, s.Transaction.Operation, event)
	}
	s.copyAnswer(answer, event, doubt)
	if s.Transaction.Outcome == was && row.To == status {
		return true, s.save() // pending again: nothing to report
	}
	s.moveStatus(row, event)
	return true, s.finish(row)
}

// outdated reports whether an answer without an end is about a step that the payer has left, or a decline about a call
// after which the acquirer got another.
func (s *Settlement) outdated(event state.Event) bool {
	return s.overtaken && event != state.Approved && event != state.Refused || s.crossed && event == state.Refused
}

// record stores in an open transaction the changes that come with the answer.
func (s *Settlement) record() {
	if s.o.also != nil {
		s.o.also(s.Transaction)
	}
}

// finish writes the effects of a row of the state table: the payer's page, the next attempt or the callback,
// the consequences, and the records.
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

// consequences runs the effects of the outcome outside the engine. Some change what the callback reports.
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

// Next returns the attempt that follows a soft decline of this one; nil if there is none.
func (s *Settlement) Next() *Operation {
	if !s.o.cascaded {
		return nil
	}
	return s.o.next
}

// EndsCharge reports whether this is the outcome of the charge that counts: the payment's first, or its
// newest retry.
func (s *Settlement) EndsCharge() bool {
	return s.Transaction.ID == s.Payment.ChargeID() && s.Transaction.Outcome.Final()
}

// open stores the page of a payment whose payer is redirected and has no page yet.
func (s *Settlement) open() error {
	away := s.Transaction.Outcome == store.Waiting &&
		(s.o.away != nil || s.Transaction.Display != nil || len(s.Transaction.Prompts) > 0)
	if s.o.page == nil || s.Payment.SessionID != "" || !away {
		return nil
	}
	return s.o.page.Insert(s.Tx, s.Payment)
}

// row returns the row of the state table for an event and the payment's status.
func (s *Settlement) row(event state.Event) (state.Row, bool) {
	return state.Next(state.Key{Kind: s.Payment.Kind, From: s.Payment.Status, Op: s.Transaction.Operation, Event: event,
		Guard: s.guard()})
}

func (s *Settlement) guard() state.Guard {
	switch {
	case s.keepsSettled():
		return state.Kept
	case s.Payment.Protocol == store.S2SCard:
		return state.OnCard
	}
	return state.Always
}

// keepsSettled reports whether a partial refund leaves the status settled, under partial_refund_status:
// settled.
func (s *Settlement) keepsSettled() bool {
	if s.Transaction.Operation != store.OpRefund || !s.Merchant.Mapping(s.Payment.Protocol).PartialRefundSettled {
		return false
	}
	return s.Payment.Refunded.Add(s.Transaction.Amount).Cmp(s.Payment.Captured) < 0
}

// contradicted marks a closed transaction that later evidence contradicts: a charge that appears after it was
// declined is a breach that a person has to review. The outcome does not change.
func (s *Settlement) contradicted(event state.Event) (changed bool, err error) {
	against := s.Transaction.Outcome == store.Fail && event == state.Approved ||
		s.Transaction.Outcome == store.Success && event == state.Refused
	if !against || s.Transaction.Review != "" { // nothing else marks a closed transaction
		return false, nil
	}
	s.Transaction.Review = fmt.Sprintf("closed as %s, later reported as %s", s.Transaction.Outcome, event)
	if err := s.Tx.Put(records.KeyOfBreach(s.Payment.ID, s.Transaction.ID), []byte{}); err != nil {
		return false, err
	}
	return true, s.save()
}

// save writes the payment back and moves the recovery entry. What the record has no room for are facts: the outcome is
// stored without them.
func (s *Settlement) save() error {
	s.Payment.UpdatedAt = s.Now
	if err := records.MoveDue(s.Tx, s.Transaction, s.oldDue, s.Now); err != nil {
		return err
	}
	if err := s.unlist(); err != nil {
		return err
	}
	p, t := *s.Payment, *s.Transaction
	err := records.PutTransaction(s.Tx, s.Payment, s.Transaction)
	if !errors.Is(err, store.ErrValue) {
		return err
	}
	s.settler.Log.Error("the acquirer's facts are left out, because the payment's record is full", "transaction", t.ID)
	*s.Payment, *s.Transaction = p, t
	s.Transaction.Facts, s.Transaction.Extras = store.Facts{}, nil // the callback has them
	return records.PutTransaction(s.Tx, s.Payment, s.Transaction)
}

// unlist removes a transaction that was set aside from the list, once it has an outcome. Recovery claims what it
// sets aside, so an intent that is as its first call stored it is on no list.
func (s *Settlement) unlist() error {
	first := !s.asked && !s.moved && s.o.mark == nil
	if !s.Transaction.Outcome.Final() || first {
		return nil
	}
	_, err := due.Unlist(s.Tx, store.WorkRecovery, records.EntryOf(s.Transaction))
	return err
}

// count adds the amount that the payer chose to the limits. The money is taken already, so a limit refuses
// only later charges.
func (s *Settlement) count() (err error) {
	s.Transaction.CountedInLimits, err = addToLimits(s.Tx, s.bounds(), s.Transaction)
	return err
}

func (s *Settlement) bounds() bounds {
	return boundsOf(s.Merchant, s.Payment, s.Merchant.MID(s.Transaction.MIDID))
}

// release gives back the amount that a failed charge took from its limits.
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
			return nil // the limit was configured while the charge ran, so the charge was not counted
		}
		return s.Tx.Put(key, []byte(left.String()))
	})
}

// Consequence is an effect of an outcome, in the transaction that applies it.
type Consequence struct {
	Name string
	// Before fetches what Do needs and cannot fetch inside a transaction. Its error is logged.
	Before func(context.Context, methods.Answer) error
	When   func(*Settlement) bool
	Do     func(*Settlement) error
}
