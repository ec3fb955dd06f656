package gateway

import (
	"context"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Recovery settles what has no outcome: intents whose caller died, operations in doubt, and payers or
// acquirers that take their time. It goes by evidence only: what the connector answers under our key,
// or the answer to the same request sent once more where the connector is idempotent. What neither can
// settle stays in doubt until a person decides; no timer ever declines (design.md, section 4;
// reliability.md, 4.4).

// askAgain is how long recovery waits before it asks again, by how often it has asked; later on, daily.
var askAgain = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 24 * time.Hour}

func again(asked int, wish time.Duration) time.Duration {
	if wish > 0 {
		return wish
	}
	return askAgain[min(asked, len(askAgain)-1)]
}

// claim takes a transaction whose time has come: its due time moves past the call that follows, so that
// other instances leave it alone, and comes back should this one die.
func (gw *Gateway) claim(tx store.Tx, id string, now time.Time) (*store.Transaction, error) {
	t, err := transactions.Get(tx, id)
	if err != nil {
		return nil, err
	}
	if t.Outcome.Final() || t.Due.IsZero() || t.Due.After(now) {
		return nil, nil
	}
	was := t.Due
	t.Version++
	t.Due = now.Add(gw.timeout(&store.MID{Connector: t.Connector}) + 2*graceAfterDeadline)
	if err := moveDue(tx, &t, was); err != nil {
		return nil, err
	}
	return &t, transactions.Put(tx, t, t.ID)
}

// resolve asks what became of a claimed transaction and applies the answer.
func (gw *Gateway) resolve(ctx context.Context, t *store.Transaction) error {
	profile, err := gw.profileByID(ctx, t.MerchantID)
	if err != nil {
		return err
	}
	p, err := gw.payment(ctx, t.PaymentID)
	if err != nil {
		return err
	}
	connector, ok := gw.cfg.Connectors[t.Connector]
	if !ok {
		return gw.review(ctx, profile, t, fmt.Sprintf("connector %q is not configured", t.Connector))
	}
	try := *t // the deadline of this question, not of the first call
	try.DeadlineAt = gw.now().Add(gw.timeout(profile.mid(t.MIDID)))
	op := gw.operation(p, &try, profile.mid(t.MIDID))
	answer, why := gw.evidence(ctx, connector, t, &try, op)
	if why != "" {
		return gw.review(ctx, profile, t, why)
	}
	_, err = gw.apply(ctx, profile, t, answer)
	return err
}

// evidence walks the table of reliability.md, 4.4. why is set when a person has to decide.
func (gw *Gateway) evidence(ctx context.Context, connector methods.Connector, t, try *store.Transaction, op methods.Operation) (answer methods.Answer, why string) {
	can := capabilities(connector)
	finder, canFind := connector.(methods.Finder)
	if canFind {
		answer = gw.call(ctx, try, func(ctx context.Context) methods.Answer { return finder.Find(ctx, op) }, nil)
		switch answer.Result {
		case methods.ResultUnknown, methods.ResultNotSent: // the question failed: nothing is learned
			return still(t, answer.Cause), ""
		case methods.ResultNotFound:
		default:
			return answer, ""
		}
		if accepted(t) {
			return answer, "the acquirer no longer knows an operation that it had accepted"
		}
	}
	late := gw.now().After(t.DeadlineAt.Add(can.Lateness))
	switch {
	case canFind && can.Lateness > 0 && !late:
		answer = methods.Unknown(op, "not seen by the acquirer yet")
		answer.Again = t.DeadlineAt.Add(can.Lateness).Sub(gw.now()) + time.Second
		return answer, ""
	case t.Outcome == store.Waiting:
		return methods.Pending(op, nil), "" // nobody to ask; the payer or a notification may still come
	case can.IdempotentByKey && (needsNoCode(&op) || can.ResendWithoutCode):
		return gw.resend(ctx, connector, t, try, op)
	case canFind && can.Lateness > 0:
		return methods.Declined(op, "Not processed"), ""
	default:
		return methods.Answer{}, "the outcome is unknown and the connector offers no way to learn it"
	}
}

// accepted reports an operation of which the acquirer once said that it has it: not to find it then is
// no evidence that it was never there.
func accepted(t *store.Transaction) bool {
	return t.Outcome == store.Waiting || len(t.Continuation) > 0
}

// needsNoCode reports an operation that never carries a security code: one on an earlier charge, or a
// payout.
func needsNoCode(op *methods.Operation) bool {
	return op.ParentKey != "" || op.Kind == store.OpCredit
}

// still is an answer that leaves a transaction as open as it is.
func still(t *store.Transaction, why string) methods.Answer {
	if t.Outcome == store.Waiting {
		return methods.Pending(told(t), nil)
	}
	return unknown(t, why)
}

// resend sends the same request with the same key once more. The security code is gone by then; only
// connectors that declare they do without get a charge again.
func (gw *Gateway) resend(ctx context.Context, connector methods.Connector, t, try *store.Transaction, op methods.Operation) (methods.Answer, string) {
	card, err := gw.openCard(ctx, t.MerchantID, t.ID, t.SealedCard)
	if err != nil {
		gw.cfg.Log.Error("a sealed card does not open", "transaction", t.ID, "error", err)
		return methods.Answer{}, "the sealed card does not open"
	}
	op.Card = card
	return gw.call(ctx, try, func(ctx context.Context) methods.Answer { return connector.Perform(ctx, op) }, nil), ""
}

func (gw *Gateway) payment(ctx context.Context, id string) (p *store.Payment, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := payments.Get(r, id)
		p = &found
		return err
	})
	return p, err
}

// review keeps a transaction without an outcome and says why a person has to decide. Recovery looks
// again on its schedule: evidence may still come.
func (gw *Gateway) review(ctx context.Context, p *profile, t *store.Transaction, why string) error {
	_, err := gw.applyWith(ctx, flight{profile: p, t: t, asked: true}, still(t, why), func(t *store.Transaction) { t.Review = why })
	return err
}

func (gw *Gateway) transaction(ctx context.Context, id string) (t *store.Transaction, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := transactions.Get(r, id)
		t = &found
		return err
	})
	return t, err
}

// Settle records what a person decided about a transaction that is in doubt: approved or not, who says
// so and why. Error: ErrNoReview when it is not in doubt.
func (gw *Gateway) Settle(ctx context.Context, transactionID string, approved bool, by, why string) (*Result, error) {
	if by == "" || why == "" {
		return nil, ErrInvalid.Fields(Fault{"by", textBlank}, Fault{"why", textBlank})
	}
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	t, err := gw.transaction(ctx, transactionID)
	if err != nil || t.Outcome != store.InDoubt && t.Outcome != store.Waiting {
		return nil, ErrNoReview.With(err)
	}
	profile, err := gw.profileByID(ctx, t.MerchantID)
	if err != nil {
		return nil, err
	}
	answer, outcome := methods.Declined(told(t), "Declined by an operator"), store.Fail
	if approved {
		answer, outcome = methods.Approved(told(t), t.Reference), store.Success
	}
	decision := &store.Decision{Outcome: outcome, By: by, Why: why, At: gw.now()}
	return gw.applyWith(ctx, flight{profile: profile, t: t, asked: true}, answer, func(t *store.Transaction) { t.Decision = decision })
}

// Doubts answers transactions that have no outcome and that a person has to look at, oldest first, at
// most limit.
func (gw *Gateway) Doubts(ctx context.Context, limit int) ([]store.Transaction, error) {
	var list []store.Transaction
	err := gw.cfg.Store.View(ctx, func(r store.Reader) error {
		list = nil
		ids, err := recoveryQueue.Due(r, gw.now().AddDate(100, 0, 0), maxDoubtScan)
		if err != nil {
			return err
		}
		for _, id := range ids {
			t, err := transactions.Get(r, id)
			if err != nil {
				return err
			}
			if t.Review != "" && len(list) < limit {
				list = append(list, t)
			}
		}
		return nil
	})
	return list, err
}

// maxDoubtScan bounds how many open transactions one call of Doubts looks at.
const maxDoubtScan = 10_000
