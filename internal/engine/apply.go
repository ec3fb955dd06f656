package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// apply is step three for what is learned later: by recovery, a notification or a person.
func (e *Engine) apply(ctx context.Context, profile Merchant, t *store.Transaction, answer methods.Answer) (*Result, error) {
	return e.settle(ctx, flight{merchant: profile, t: t, asked: true}, answer)
}

// outcome is an answer with what has to be made before the transaction that applies it, and what it did.
type outcome struct {
	answer methods.Answer
	next   *store.Next              // where the payer has to go
	sealed []byte                   // the same, for him who reloads
	page   *StatusPage              // stored when he is sent away and no session has a page for him
	then   *Operation               // the attempt that follows a soft decline
	also   func(*store.Transaction) // something more to record, should the transaction still be open
	mark   *mark                    // of the call that it is the answer of
	seal   seal.Now

	changed, cascaded bool
}

// applyOutcome is step three: it records what an answer comes to, moves the payment along the state table,
// and queues the callback, in one transaction. It may be called more than once and by several instances
// for one transaction; the first that brings a final outcome wins, and everybody else gets what is stored.
// A transaction that a final outcome contradicts later is marked for review.
func (e *Engine) applyOutcome(ctx context.Context, f flight, o *outcome) (*Result, error) {
	var done *Result
	var from store.Status
	apply := func(tx store.Tx) error {
		s, err := e.loadStep(tx, &f, o)
		if err != nil {
			return err
		}
		from, o.cascaded = s.Payment.Status, false
		o.changed, err = s.take(o.answer)
		done = &Result{Payment: *s.Payment, Transaction: *s.Transaction}
		return err
	}
	err := e.update(ctx, apply)
	if errors.Is(err, store.ErrUnknownCommit) {
		err = e.update(ctx, apply) // reads first: what is applied already is only told
	}
	if err != nil {
		return nil, fmt.Errorf("apply %s: %w", f.t.ID, err)
	}
	if o.changed {
		e.report(ctx, from, done)
		e.Wake()
	}
	return done, nil
}

// Settlement is one application of an answer: the records it changes and what it needs to know.
type Settlement struct {
	engine      *Engine
	Tx          store.Tx
	Merchant    Merchant
	Now         time.Time
	Payment     *store.Payment
	Transaction *store.Transaction
	asked       bool
	absent      bool
	moved       bool // since whoever brings the answer looked at it: recovery may have sent it again, or it was heard of
	oldDue      time.Time
	o           *outcome
	chosen      bool // the amount that the payer chose has just become known
}

func (e *Engine) loadStep(tx store.Tx, f *flight, o *outcome) (*Settlement, error) {
	t, err := records.Transactions.GetKept(tx, f.written.intent, f.t.ID)
	if err != nil {
		return nil, err
	}
	p, err := records.Payments.GetKept(tx, f.written.payment, t.PaymentID)
	if err != nil {
		return nil, err
	}
	moved := t.Version != f.t.Version
	return &Settlement{engine: e, Tx: tx, Merchant: f.merchant, Now: e.Now(), Payment: &p, Transaction: &t, asked: f.asked, absent: f.absent, moved: moved, oldDue: t.Due, o: o}, nil
}

// take applies an answer and reports whether anything changed.
func (s *Settlement) take(answer methods.Answer) (changed bool, err error) {
	event, doubt := s.event(answer)
	if s.Transaction.Outcome.Final() {
		s.o.cascaded = s.o.then != nil && s.Payment.Next == s.o.then.Payment.ID // committed, and nobody could say so
		return s.contradicted(event)
	}
	s.record()
	was, status := s.Transaction.Outcome, s.Payment.Status
	if s.asked && event == state.Waiting && was == store.Waiting {
		s.note(answer, event, doubt) // still the same: a payer at the issuer's page stays there
		return true, s.save()
	}
	row, ok := s.row(event)
	if !ok && event != state.Unknown { // a redirect for a refund, say: it cannot be, so nobody knows
		event, doubt = state.Unknown, fmt.Sprintf("unexpected answer %q", answer.Result)
		row, ok = s.row(event)
	}
	if !ok {
		return false, fmt.Errorf("no row for %s %s %s %s", s.Payment.Kind, s.Payment.Status, s.Transaction.Operation, event)
	}
	s.note(answer, event, doubt)
	if s.Transaction.Outcome == was && row.To == status {
		return true, s.save() // the same not-yet again: nothing to tell
	}
	s.move(row, event)
	return true, s.finish(row)
}

// record puts into an open transaction what comes with the answer from elsewhere.
func (s *Settlement) record() {
	if s.o.sealed != nil {
		s.Transaction.Next = s.o.sealed
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
	for _, c := range s.engine.Consequences {
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
	return s.o.then
}

// EndsCharge reports the outcome of the charge that counts: the payment's first, or its newest try.
func (s *Settlement) EndsCharge() bool {
	return s.Transaction.ID == s.Payment.ChargeID() && s.Transaction.Outcome.Final()
}

// open stores the page of a payment whose payer is sent away and has none yet.
func (s *Settlement) open() error {
	away := s.Transaction.Outcome == store.Waiting && (s.o.next != nil || s.Transaction.Shown != nil || len(s.Transaction.Asks) > 0)
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
	return state.Next(state.Key{Kind: s.Payment.Kind, From: s.Payment.Status, Op: s.Transaction.Operation, Event: event, Guard: guard})
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

// queue puts the callback of a row into the outbox, in this very transaction. Without a URL when the
// payment was made there is none (callbacks.md, "Target URL").
func (s *Settlement) queue(row state.Row) error {
	if row.Type == "" || s.Payment.NotificationURL == "" || !s.tells(row) {
		return nil
	}
	next := s.tellable()
	body, requireOK, err := callback.Render(callback.Event{
		Type: s.callbackType(row), Status: row.Status, Payment: s.public(), Transaction: s.Transaction, Next: next,
		Crypto: s.engine.IsCrypto(s.Payment), Merchant: s.Merchant.Record(), Mapping: s.Merchant.Mapping(s.Payment.Protocol),
		MID: s.Merchant.MID(s.Transaction.MIDID),
	})
	if err != nil {
		return err
	}
	if err := s.engine.Sends(s, body); err != nil {
		return err
	}
	s.Payment.Callbacks++
	c := store.Callback{
		PaymentID: s.Payment.ID, TransactionID: s.Transaction.ID, MerchantID: s.Payment.MerchantID, Number: s.Payment.Callbacks,
		Type: row.Type, Outcome: row.Status, URL: s.Payment.NotificationURL, Body: body, RequireOK: requireOK,
		CreatedAt: s.Now, Leads: records.BeginsChain(s.Payment),
	}
	if first := s.Payment.RecurringInitID; first != "" && !records.BeginsChain(s.Payment) && c.Number == 1 {
		c.Follows = callback.ID(first, 1)
	}
	if next != nil && s.Payment.Protocol.S2S() { // it tells the payer's link, whose secret is not stored
		if c.SealedBody, err = s.o.seal(vault.ReturnData, s.Payment.MerchantID, callback.ID(s.Payment.ID, c.Number), body); err != nil {
			return err
		}
		c.Body = nil
	}
	return callback.Queue(s.Tx, c)
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
