package methodstest

import (
	"context"
	"crypto/rand"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// probe runs one check on one connector. It checks every answer against the rules for all answers.
type probe struct {
	Subject
	tb        testing.TB
	connector methods.Connector
	can       methods.Capabilities
	finder    methods.Finder
	completer methods.Completer
	notified  methods.Notified
}

func newProbe(tb testing.TB, s Subject) *probe {
	p := &probe{Subject: s.filled(), tb: tb, connector: s.New(tb)}
	if d, ok := p.connector.(methods.Declarer); ok {
		p.can = d.Capabilities()
	}
	p.finder, _ = p.connector.(methods.Finder)
	p.completer, _ = p.connector.(methods.Completer)
	p.notified, _ = p.connector.(methods.Notified)
	return p
}

// operation makes a new operation and lets fill change it.
func (p *probe) operation(kind store.Operation, fill func(*methods.Operation)) methods.Operation {
	id := rand.Text()
	op := methods.Operation{
		Kind: kind, Key: "key-" + id, TransactionID: "transaction-" + id, PaymentID: "payment-" + id,
		Amount: p.Amount, Currency: p.Currency, Method: "card", Test: true,
		Deadline: time.Now().Add(p.Patience),
		Order: store.Order{Number: "order-" + id, Amount: p.Amount.String(), Currency: p.Currency,
			Description: "Contract test"},
		Payer:           store.Payer{Name: "John Doe", Email: "doe@example.com", IP: "192.0.2.1"},
		ReturnURL:       "https://gateway.example/return/" + id,
		NotificationURL: "https://gateway.example/notification/" + id,
	}
	if fill != nil {
		fill(&op)
	}
	return op
}

// on makes an operation that follows up a charge.
func (p *probe) on(charge methods.Operation, a methods.Answer, kind store.Operation,
	amount store.Amount) methods.Operation {
	op := p.operation(kind, nil)
	op.Amount, op.MID, op.Method, op.Order = amount, charge.MID, charge.Method, charge.Order
	op.ParentKey, op.ParentReference = charge.Key, a.Reference
	return op
}

func (p *probe) perform(op methods.Operation) methods.Answer {
	return p.call("Perform", context.Background(), op, p.connector.Perform)
}

func (p *probe) find(op methods.Operation) methods.Answer {
	return p.call("Find", context.Background(), op, p.finder.Find)
}

func (p *probe) complete(op methods.Operation, back methods.Return) methods.Answer {
	return p.call("Complete", context.Background(), op, func(ctx context.Context, op methods.Operation) methods.Answer {
		return p.completer.Complete(ctx, op, back)
	})
}

func (p *probe) notification(op methods.Operation, note methods.Note) methods.Answer {
	return p.call("Notification", context.Background(), op,
		func(ctx context.Context, op methods.Operation) methods.Answer {
			return p.notified.Notification(ctx, op, note)
		})
}

// patient returns a context for one call.
func (p *probe) patient() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), p.Patience)
}

// approved performs op and requires that it is approved.
func (p *probe) approved(op methods.Operation) methods.Answer {
	a := p.perform(op)
	require.Equal(p.tb, methods.ResultApproved, a.Result, "%s of %s: reason %q, cause %q", op.Kind, op.Amount, a.Reason,
		a.Cause)
	require.NotEmpty(p.tb, a.Reference, "an approval names the acquirer's transaction")
	return a
}

// refused performs op and requires that the acquirer or the connector refuses it.
func (p *probe) refused(op methods.Operation, why string) {
	a := p.perform(op)
	require.Contains(p.tb, []methods.Result{methods.ResultDeclined, methods.ResultNotSent}, a.Result, why)
	p.effects(op, 0)
}

// effects asks the acquirer's own books, if the subject can.
func (p *probe) effects(op methods.Operation, want int) {
	if p.Effects != nil {
		require.Equal(p.tb, want, p.Effects(p.tb, p.connector, op), "effects of %s %s", op.Kind, op.Key)
	}
}

// booked compares the amount in the acquirer's own books, if the subject can: an answer may repeat what was asked for,
// while another amount moved.
func (p *probe) booked(op methods.Operation) {
	if p.Booked == nil {
		return
	}
	amount, currency := p.Booked(p.tb, p.connector, op)
	require.Equal(p.tb, op.Currency, currency, "the currency in the acquirer's books")
	require.Zero(p.tb, op.Amount.Cmp(amount), "the acquirer's books have %s %s, not %s", amount, currency, op.Amount)
}

// call makes one call, in time and without a panic, and checks the answer.
func (p *probe) call(name string, ctx context.Context, op methods.Operation,
	do func(context.Context, methods.Operation) methods.Answer) methods.Answer {
	ctx, cancel := context.WithTimeout(ctx, p.Patience)
	defer cancel()
	type outcome struct {
		answer methods.Answer
		panic  any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o
		}()
		o.answer = do(ctx, op)
	}()
	// The connector decides how it treats the end of the context. Only a call that outlasts it by as much time again
	// is a fault.
	limit := time.NewTimer(2 * p.Patience)
	defer limit.Stop()
	select {
	case o := <-done:
		require.Nil(p.tb, o.panic, "%s panicked", name)
		p.judge(name, op, o.answer)
		return o.answer
	case <-limit.C:
		require.FailNow(p.tb, name+" did not return after its context had ended")
		return methods.Answer{}
	}
}

// judge checks what holds for every answer.
func (p *probe) judge(name string, op methods.Operation, a methods.Answer) {
	require.Contains(p.tb, methods.Results(), a.Result, "%s: the result is one of the closed set", name)
	require.True(p.tb, a.Result != methods.ResultNotFound || name == "Find", "%s: only Find may answer not found", name)
	require.LessOrEqual(p.tb, len([]rune(a.Reason)), 1024, "%s: reason", name)
	switch a.Result {
	case methods.ResultRedirect:
		require.NotNil(p.tb, a.Redirect, "%s: a redirect has an address", name)
		u, err := url.Parse(a.Redirect.URL)
		require.True(p.tb, err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http"), "%s: redirect URL",
			name)
		require.Contains(p.tb, []string{"GET", "POST"}, a.Redirect.Method, "%s: redirect method", name)
		require.True(p.tb, p.completer != nil || p.finder != nil || p.notified != nil,
			"%s: a redirect that nobody completes: the connector needs Complete, Find or Notification", name)
	case methods.ResultDisplay:
		require.NotNil(p.tb, a.Display, "%s: display has content", name)
		require.True(p.tb, p.finder != nil || p.notified != nil,
			"%s: nobody learns that the payer paid: the connector needs Find or Notification", name)
	case methods.ResultPrompt:
		require.NotEmpty(p.tb, a.Prompts, "%s: prompt has fields", name)
		require.NotNil(p.tb, p.completer, "%s: nobody gets the payer's answers: the connector needs Complete", name)
	default: // a final answer has none of these
	}
	if op.AmountOpen && a.Result == methods.ResultApproved {
		require.False(p.tb, a.Amount.IsZero(), "%s: an approval has the amount that the payer chose", name)
	}
	require.Empty(p.tb, leaks(op, a), "%s: card data must not be in an answer", name)
}

// repeats requires that an answer with an outcome repeats the operation; of an open amount the answer has its own.
func (p *probe) repeats(op methods.Operation, a methods.Answer) {
	require.Equal(p.tb, op.Key, a.Key, "the answer repeats the key")
	require.Equal(p.tb, op.Currency, a.Currency, "the answer repeats the currency")
	require.True(p.tb, op.AmountOpen || op.Amount.Cmp(a.Amount) == 0, "the answer repeats the amount: %s, not %s",
		op.Amount,
		a.Amount)
}
