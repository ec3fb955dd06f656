package engine

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// key is the idempotency key of a transaction: a pure function of its id, so that every try of every
// instance sends the same one.
func key(transactionID string) string { return "tg-" + transactionID }

// operation is what the connector is told of a transaction.
func (e *Engine) operation(p *store.Payment, t *store.Transaction, profile Merchant) methods.Operation {
	mid := profile.MID(t.MIDID)
	op := methods.Operation{
		Kind:            t.Operation,
		Key:             key(t.ID),
		TransactionID:   t.ID,
		PaymentID:       p.ID,
		Merchant:        profile.Record().Name,
		Amount:          t.Amount,
		Currency:        t.Currency,
		Order:           p.Order,
		Method:          p.Method,
		Test:            p.Test,
		Deadline:        t.DeadlineAt,
		MID:             methods.MID{ID: mid.ID, Descriptor: cmp.Or(p.Descriptor, mid.Descriptor), COF: mid.COF, Settings: mid.Settings, Secrets: mid.Secrets},
		Open:            t.Open,
		Payer:           p.Payer,
		Payee:           p.Payee,
		Quote:           p.Quote,
		Identifier:      p.Identifier,
		CryptoNetwork:   p.CryptoNetwork,
		ParentKey:       parentKey(t),
		ParentReference: t.ParentReference,
		Continuation:    t.Continuation,
		Authentication:  methods.Authentication(t.Authentication),
		Browser:         t.Browser,
	}
	if p.COF != nil && paysByCard(t.Operation) {
		op.COF, op.Credential = *p.COF, t.Credential
	}
	if method, ok := e.Catalogue.Lookup(p.Method); ok {
		op.MethodKind, op.Window = method.Kind, time.Duration(method.Window)*time.Second
	}
	return op
}

func parentKey(t *store.Transaction) string {
	if t.ParentID == "" {
		return ""
	}
	return key(t.ParentID)
}

// flight is an intent that is committed and has no outcome. link is the secret of the page the payer
// sees, under which a redirect is kept for him who reloads; alone makes that page where no session has it, and
// page is what it made.
// asked says that the answer is to a question or a resend, not to the first and only call; absent that it is a
// decline because nobody knows the operation, which holds only while nothing else is learned of it. next makes
// the attempt that follows a soft decline, nil where none does.
type flight struct {
	merchant Merchant
	protocol store.Protocol // of the payment, where the payer has a page
	t        *store.Transaction
	link     []byte
	alone    func() (*StatusPage, error)
	page     *StatusPage
	hosted   string // the address of the session's page, where the caller has to send the payer to it
	written  written
	asked    bool
	absent   bool
	next     func(context.Context) (*Operation, error)
	mark     *mark // of a later call; nil for the first one, and for those that recovery makes
	reloads  bool  // what it learns can be learned again when the payer reloads
}

// perform is steps two and three of a flight. They run to their end whatever becomes of the caller's
// request; the connector's deadline bounds them.
func (e *Engine) perform(ctx context.Context, f flight, ask func(context.Context) methods.Answer) (*Result, error) {
	ctx = context.WithoutCancel(ctx)
	answer := e.call(ctx, f.t, ask, func(late methods.Answer) {
		after := f
		after.asked, after.next = true, nil
		if _, err := e.settle(ctx, after, late); err != nil {
			e.Log.Error("a late answer could not be applied", "transaction", f.t.ID, "error", err)
		}
	})
	if answer.Result == methods.ResultUnverified {
		e.Log.Warn("what came back proves nothing", "transaction", f.t.ID, "cause", answer.Cause)
		e.giveBack(ctx, f.t.ID, f.mark)
		return e.Result(ctx, f.t.ID)
	}
	return e.settle(ctx, f, answer)
}

// settle is step three of a flight, and the attempt that follows a soft decline.
func (e *Engine) settle(ctx context.Context, f flight, answer methods.Answer) (_ *Result, err error) {
	if f.alone != nil && sendsAway(answer) {
		if f.page, err = f.alone(); err != nil {
			return nil, err
		}
	}
	o := outcome{answer: answer, next: f.away(answer), page: f.page, mark: f.mark}
	if o.sealed, err = e.keepNext(f, answer.Redirect); err != nil {
		return nil, err
	}
	elsewhere := answer.Result == methods.ResultDeclined && answer.Soft || answer.Result == methods.ResultNotSent
	if elsewhere && f.next != nil {
		if o.then, err = f.next(ctx); err != nil && f.reloads {
			return nil, err
		} else if err != nil { // the decline stands all the same
			e.Log.Error("no next attempt could be made", "transaction", f.t.ID, "error", err)
		}
	}
	for _, c := range e.Consequences {
		if c.Before == nil {
			continue
		}
		if err := c.Before(ctx, answer); err != nil {
			e.Log.Warn("a consequence is not prepared", "consequence", c.Name, "transaction", f.t.ID, "error", err)
		}
	}
	if o.next != nil {
		if o.seal, err = e.Seals.Ready(ctx); err != nil {
			return nil, err
		}
	}
	r, err := e.applyOutcome(ctx, f, &o)
	switch {
	case err != nil:
		return nil, err
	case o.cascaded:
		return e.charge(ctx, o.then)
	case r.Transaction.Outcome == store.Waiting:
		r.Next = o.next
	}
	return r, nil
}

// call asks a connector and never fails: a panic, or no answer by the deadline, is an answer too. What a
// connector says after that goes to late, if anybody wants it: it is evidence all the same. A connector
// that ignores its deadline keeps its goroutine until it returns, and Close waits for that.
func (e *Engine) call(ctx context.Context, t *store.Transaction, ask func(context.Context) methods.Answer, late func(methods.Answer)) methods.Answer {
	timed, cancel := context.WithTimeout(ctx, t.DeadlineAt.Sub(e.Now()))
	answers, gone := make(chan methods.Answer), make(chan struct{})
	e.Gate.Add(1) // within the call that was counted in: never the first
	go func() {
		defer e.Gate.Leave()
		defer cancel()
		answer := guarded(timed, t, ask)
		select {
		case answers <- answer:
		case <-gone:
			if late != nil {
				late(answer)
			}
		}
	}()
	select {
	case answer := <-answers:
		return answer
	case <-timed.Done():
	}
	select {
	case answer := <-answers:
		return answer
	case <-time.After(graceAfterDeadline):
		close(gone)
		return unknown(t, "no answer by the deadline")
	}
}

// graceAfterDeadline is how long a connector may take to come back once its context has ended.
const graceAfterDeadline = 2 * time.Second

func guarded(ctx context.Context, t *store.Transaction, ask func(context.Context) methods.Answer) (answer methods.Answer) {
	defer func() {
		if recover() != nil { // the value may hold card data: it is not looked at
			answer = unknown(t, "the connector panicked")
		}
	}()
	return ask(ctx)
}

func unknown(t *store.Transaction, cause string) methods.Answer {
	return methods.Unknown(told(t), cause)
}

// told is as much of an operation as an answer repeats.
func told(t *store.Transaction) methods.Operation {
	return methods.Operation{Key: key(t.ID), Amount: t.Amount, Currency: t.Currency}
}

// event is what an answer comes to. An approval that is not about this very operation is not believed;
// neither is a result outside the closed set. That nothing was sent settles only the first and only
// call: after another one it says nothing of what that one did.
func (s *Settlement) event(a methods.Answer) (state.Event, string) {
	switch {
	case a.Result == methods.ResultUnknown,
		a.Result == methods.ResultNotSent && (s.Transaction.Outcome != store.Sent || s.asked || s.moved),
		s.absent && s.moved:
		return state.Unknown, ""
	case !repeats(s.Transaction, a):
		return state.Unknown, "the answer repeats another key, amount or currency"
	}
	switch a.Result {
	case methods.ResultApproved:
		return state.Approved, ""
	case methods.ResultDeclined, methods.ResultNotSent:
		return state.Refused, ""
	case methods.ResultRedirect:
		return redirectEvent(a)
	case methods.ResultShow:
		return s.showEvent(a)
	case methods.ResultAsk:
		if len(a.Ask) == 0 {
			return state.Unknown, "asks for nothing"
		}
		return state.Redirect, ""
	case methods.ResultPending:
		if s.crypto() {
			return state.Init, ""
		}
		return state.Waiting, ""
	default:
		return state.Unknown, fmt.Sprintf("unexpected result %q", a.Result)
	}
}

// repeats reports whether an answer is about this transaction. Where the payer chooses the amount it is
// the answer that tells it, and an approval of nothing is none.
func repeats(t *store.Transaction, a methods.Answer) bool {
	op := told(t)
	if t.Open {
		if a.Result == methods.ResultApproved && a.Amount.IsZero() {
			return false
		}
		op.Amount = a.Amount
	}
	return a.Repeats(op)
}

// crypto reports a charge in crypto, which begins with an address and is confirmed by the chain.
func (s *Settlement) crypto() bool {
	return s.engine.IsCrypto(s.Payment) && (s.Transaction.Operation == store.OpSale || s.Transaction.Operation == store.OpCredit)
}

// showEvent: a QR code takes the payer to his bank, as a redirect does (SPEC2: ips is a redirect with
// QR); payment details only wait to be paid. On S2S the payer has to come to our page to see them.
func (s *Settlement) showEvent(a methods.Answer) (state.Event, string) {
	switch {
	case a.Show == nil || a.Show.QR == "" && len(a.Show.Details) == 0:
		return state.Unknown, "shows nothing"
	case s.crypto():
		return state.Init, ""
	case a.Show.QR != "", s.Payment.Protocol.S2S():
		return state.Redirect, ""
	default:
		return state.Waiting, ""
	}
}

func redirectEvent(a methods.Answer) (state.Event, string) {
	switch {
	case a.Redirect == nil || !weburl.Valid(a.Redirect.URL, weburl.Max):
		return state.Unknown, "a redirect without a usable URL"
	case tooLarge(a.Redirect):
		return state.Unknown, "a redirect that is too large"
	case a.Redirect.ThreeDS:
		return state.ThreeDS, ""
	default:
		return state.Redirect, ""
	}
}

// outcomes is what each event makes of a transaction.
var outcomes = map[state.Event]store.Outcome{
	state.Approved: store.Success,
	state.Refused:  store.Fail,
	state.ThreeDS:  store.Waiting,
	state.Redirect: store.Waiting,
	state.Waiting:  store.Waiting,
	state.Init:     store.Waiting,
	state.Unknown:  store.InDoubt,
}

// report logs and tells a change that is committed. Nothing of a card is in it.
func (e *Engine) report(ctx context.Context, from store.Status, r *Result) {
	t := &r.Transaction
	level := slog.LevelDebug
	if t.Review != "" {
		level = slog.LevelWarn
	}
	e.Log.Log(ctx, level, "transaction", "payment", t.PaymentID, "transaction", t.ID,
		"operation", t.Operation, "outcome", t.Outcome, "from", from, "to", r.Payment.Status, "review", t.Review)
	e.Changed(from, r)
}

// paysByCard reports an operation that a card pays by.
func paysByCard(op store.Operation) bool {
	return op == store.OpSale || op == store.OpAuth || op == store.OpDebit
}
