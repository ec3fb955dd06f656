package engine

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
)

// returns completes payments after the payer comes back or answers a prompt.
type returns struct {
	*calls
	merchant func(ctx context.Context, id string) (Merchant, error)
	another  func(ctx context.Context, d Declined) (*Operation, error)
}

// laterCall is a call of a connector with a payer's return or answer. Everything that may fail is prepared
// before the call is marked; after the mark come only the call and its outcome.
type laterCall struct {
	returns   *returns
	merchant  Merchant
	p         *records.Payment
	t         *records.Transaction // as it was marked
	op        methods.Operation    // with its opened sealed data
	completer methods.Completer
	finder    methods.Finder // nil if the acquirer cannot be asked
	brought   PayerReturn
	deadline  time.Time
}

// laterCall prepares a call. It returns nil for a connector that completes nothing.
func (r *returns) laterCall(ctx context.Context, p *records.Payment, t *records.Transaction,
	brought PayerReturn) (*laterCall, error) {
	l := &laterCall{returns: r, p: p, t: t, brought: brought}
	connector := r.Connectors[t.Connector]
	l.finder, _ = connector.(methods.Finder)
	var ok bool
	if l.completer, ok = connector.(methods.Completer); !ok {
		return nil, nil
	}
	var err error
	if l.merchant, err = r.merchant(ctx, t.MerchantID); err != nil {
		return nil, err
	}
	if err := l.merchant.Readable(l.p); err != nil {
		return nil, err
	}
	return l, r.Seals.Open(ctx, t, &l.op)
}

func (l *laterCall) idempotent() bool {
	return l.returns.acquirers.idempotent(l.t)
}

// mayComplete reports whether the data that the connector needs to complete the return is still there.
func (l *laterCall) mayComplete(t *records.Transaction) bool {
	return !methods.CapabilitiesOf(l.returns.Connectors[t.Connector]).CodeAtReturn || t.ErasedAt.IsZero() &&
		!l.brought.CodeGone(t)
}

// call makes a marked call and applies its answer.
func (l *laterCall) call(ctx context.Context, m *callMark) error {
	r, try := l.returns, *l.t
	try.DeadlineAt = l.deadline
	op := r.operation(l.p, &try, l.merchant)
	op.Parameters = l.op.Parameters
	c := &call{merchant: l.merchant, protocol: l.p.Protocol, p: l.p, t: &try, mark: m,
		asked: m.questions, calls: observe.CallComplete}
	if l.brought.Link != nil {
		c.link = func() []byte { return l.brought.Link }
	}
	if m.questions {
		c.calls = observe.CallFind
	}
	c.reloads = m.at(l.t) == &l.t.Returning && (l.idempotent() || l.finder != nil)
	given, another := op, l.op
	given.Card, given.PayeeCard, given.MPI, given.Wallet = l.op.Card, l.op.PayeeCard, l.op.MPI, l.op.Wallet
	if l.op.Card != nil {
		coded := *l.op.Card
		coded.Code = l.brought.Code
		another.Card = &coded
		if methods.CapabilitiesOf(r.Connectors[l.t.Connector]).CodeAtReturn {
			given.Card = &coded
		}
	}
	c.next = func(ctx context.Context) (*Operation, error) {
		return r.another(ctx, Declined{Merchant: l.merchant, Payment: l.p, Transaction: l.t, Given: &another,
			Return: l.brought})
	}
	_, err := r.perform(ctx, c, &outcome{}, func(ctx context.Context) methods.Answer {
		if !m.questions {
			answer := l.completer.Complete(ctx, given, l.brought.Back)
			if m.second() && !l.idempotent() {
				return doubtDecline(given, answer)
			}
			return answer
		}
		answer := l.finder.Find(ctx, op)
		waits := answer.Result == methods.ResultPending && repeats(&try, answer) // for the payer
		if waits && r.marks.stands(ctx, l.t, m) && m.sends() {
			return doubtDecline(given, l.completer.Complete(ctx, given, l.brought.Back))
		}
		return answerOfQuestion(&try, answer)
	})
	if err != nil {
		r.marks.lapse(ctx, l.t, m)
	}
	return err
}

// doubtDecline turns a decline into an unknown answer if the acquirer has an earlier return without a known outcome:
// the decline may be of the second call and not of the payment. The acquirer is asked later.
func doubtDecline(op methods.Operation, answer methods.Answer) methods.Answer {
	if answer.Result == methods.ResultDeclined {
		return methods.Unknown(op, "declined after a call whose outcome is unknown")
	}
	return answer
}

// answerOfQuestion returns the answer to a question that replaces a call. A question that failed changes nothing.
func answerOfQuestion(t *records.Transaction, answer methods.Answer) methods.Answer {
	switch answer.Result {
	case methods.ResultUnknown, methods.ResultNotSent, methods.ResultNotFound:
		return unchanged(t, answer.Cause)
	default:
		return answer
	}
}
