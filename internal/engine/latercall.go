package engine

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// PayerReturn is what a payer brings who has been elsewhere, or was asked, and what is held for that.
type PayerReturn struct {
	Back   methods.Return
	Secret []byte // of the return link; nil for an answer
	Code   store.SecurityCode
	Page   string // where the payer goes next
	Link   []byte // its secret, where it is a page of ours
}

// evidence names what the payer brought, for those only who have the link.
func (t *PayerReturn) evidence() string {
	text, _ := json.Marshal(t.Back) // texts only
	mac := hmac.New(sha256.New, t.Secret)
	mac.Write([]byte("return\n"))
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}

// laterCall is a call of a connector about what a payer brought. Whatever may fail is made before it is marked:
// behind the mark there is only the call and what comes of it.
type laterCall struct {
	e         *Engine
	merchant  Merchant
	p         *store.Payment
	t         *store.Transaction // as it was marked
	op        methods.Operation  // with what was sealed for it
	completer methods.Completer
	finder    methods.Finder // nil where the acquirer cannot be asked
	trip      PayerReturn
	deadline  time.Time
}

// laterCall makes one ready; nil for a connector that finishes nothing.
func (e *Engine) laterCall(ctx context.Context, t *store.Transaction, trip PayerReturn) (*laterCall, error) {
	l := &laterCall{e: e, t: t, trip: trip}
	connector := e.Connectors[t.Connector]
	l.finder, _ = connector.(methods.Finder)
	var ok bool
	if l.completer, ok = connector.(methods.Completer); !ok {
		return nil, nil
	}
	var err error
	if l.merchant, err = e.Merchant(ctx, t.MerchantID); err != nil {
		return nil, err
	}
	if l.p, err = e.payment(ctx, t.PaymentID); err != nil {
		return nil, err
	}
	if err := l.merchant.Readable(l.p); err != nil {
		return nil, err
	}
	return l, e.Seals.Open(ctx, t, &l.op)
}

func (l *laterCall) idempotent() bool {
	return methods.CapabilitiesOf(l.e.Connectors[l.t.Connector]).IdempotentByKey
}

// call makes a call that is marked, and applies what comes of it.
func (l *laterCall) call(ctx context.Context, m *mark) error {
	e, try := l.e, *l.t
	try.DeadlineAt = l.deadline
	op := e.operation(l.p, &try, l.merchant)
	op.Parameters = l.op.Parameters
	f := flight{merchant: l.merchant, protocol: l.p.Protocol, t: &try, link: l.trip.Link, mark: m, asked: m.asks}
	f.reloads = m.at(l.t) == &l.t.Returning && (l.idempotent() || l.finder != nil)
	given, another := op, l.op
	given.Card, given.PayeeCard, given.MPI, given.Wallet = l.op.Card, l.op.PayeeCard, l.op.MPI, l.op.Wallet
	if l.op.Card != nil {
		coded := *l.op.Card
		coded.Code = l.trip.Code
		another.Card = &coded
		if methods.CapabilitiesOf(e.Connectors[l.t.Connector]).CodeAtReturn {
			given.Card = &coded
		}
	}
	f.next = func(ctx context.Context) (*Operation, error) {
		return e.Another(ctx, Declined{Merchant: l.merchant, Payment: l.p, Transaction: l.t, Given: &another, Return: l.trip})
	}
	_, err := e.perform(ctx, f, func(ctx context.Context) methods.Answer {
		if !m.asks {
			return l.completer.Complete(ctx, given, l.trip.Back)
		}
		answer := l.finder.Find(ctx, op)
		if answer.Result == methods.ResultPending && m.anew { // the payer is still awaited
			return sure(given, l.completer.Complete(ctx, given, l.trip.Back))
		}
		return found(&try, answer)
	})
	if err != nil {
		e.letGo(ctx, l.t.ID, m)
	}
	return err
}

// sure takes no decline from a second call after one whose outcome is unknown: it may be of the call, and not of the
// payment. The acquirer is asked.
func sure(op methods.Operation, answer methods.Answer) methods.Answer {
	if answer.Result == methods.ResultDeclined {
		return methods.Unknown(op, "declined after a call whose outcome is unknown")
	}
	return answer
}

// found is what a question comes to that is asked in the place of a call: a question that failed learns nothing.
func found(t *store.Transaction, answer methods.Answer) methods.Answer {
	switch answer.Result {
	case methods.ResultUnknown, methods.ResultNotSent, methods.ResultNotFound:
		return still(t, answer.Cause)
	}
	return answer
}
