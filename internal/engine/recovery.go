package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// recovery finds the outcome of transactions that have none.
type recovery struct {
	*calls
	queues   *due.Queues
	crew     *due.Crew // by connector
	merchant func(ctx context.Context, id string) (Merchant, error)
}

// Offers reports whether Claim would take anything now.
func (r *recovery) Offers(in store.Reader, now time.Time) (bool, error) {
	return r.crew.Offers(in, now)
}

// Claim takes transactions that are due for recovery. Connectors take turns.
func (r *recovery) Claim(ctx context.Context, limit int) ([]func(context.Context), error) {
	return r.queues.Claim(ctx, r.crew, limit, r.claimEntry)
}

// ClaimMore is Claim for the transactions alone (due.Queues).
func (r *recovery) ClaimMore(ctx context.Context, limit int, _ time.Time) ([]func(context.Context), error) {
	return r.queues.ClaimMore(ctx, r.crew, limit, r.claimEntry)
}

func (r *recovery) claimEntry(tx store.Tx, entry string) (func(context.Context), error) {
	t, err := r.claim(tx, entry, r.Now())
	if t == nil || err != nil {
		return nil, err
	}
	return func(ctx context.Context) { r.recover(ctx, t) }, nil
}

// recover resolves a claimed transaction. If its payment, merchant or MID cannot be read it is set aside,
// because no connector can be asked.
func (r *recovery) recover(ctx context.Context, t *records.Transaction) {
	err := r.resolve(ctx, t)
	if errors.Is(err, errNotAsked) {
		r.queues.PutOff(ctx, store.WorkRecovery, records.EntryOf(t), err)
		return
	}
	if due.IsLost(err) {
		aside := store.Aside{Work: store.WorkRecovery, ID: records.EntryOf(t), At: r.Now()}
		err = r.queues.SetAside(ctx, aside, err, func(tx store.Tx) (bool, error) { return waitForErasure(tx, t) })
	}
	if err != nil {
		r.Log.Error("a transaction could not be resolved", "transaction", t.ID, "error", err)
	}
}

// waitForErasure makes a claimed transaction wait until some of its card data has to be erased; then it is
// claimed once more.
func waitForErasure(tx store.Tx, claimed *records.Transaction) (bool, error) {
	p, t, err := records.FindTransaction(tx, claimed.PaymentID, claimed.ID)
	if err != nil || t.Version != claimed.Version {
		return false, err
	}
	was := t.Due
	t.Due = erasesAt(&t)
	return true, errors.Join(records.MoveDue(tx, &t, was, was), records.PutTransaction(tx, &p, &t))
}

// claim takes a transaction that is due. Its due time moves beyond the call that follows, so that other
// instances leave it alone; if this instance dies, it is due again.
func (r *recovery) claim(tx store.Tx, entry string, now time.Time) (*records.Transaction, error) {
	p, t, err := records.OfEntry(tx, entry)
	if err != nil {
		return nil, err
	}
	if t.Outcome.Final() || t.Due.IsZero() || t.Due.After(now) {
		return nil, nil
	}
	was, whole := t.Due, t
	erase(&t, now)
	if !t.ErasedAt.Equal(whole.ErasedAt) { // it may be sent this one time more, and that may take effect late too
		t.DeadlineAt = now.Add(r.timeout(t.Connector))
	}
	t.Due = now.Add(r.timeout(t.Connector) + 2*graceAfterDeadline)
	if err := records.MoveDue(tx, &t, was, now); err != nil {
		return nil, err
	}
	if err := records.PutTransaction(tx, &p, &t); err != nil {
		return nil, err
	}
	returnErased(&t, &whole)
	return &t, nil
}

// resolve asks for the outcome of a claimed transaction and applies the answer.
func (r *recovery) resolve(ctx context.Context, t *records.Transaction) error {
	profile, err := r.merchant(ctx, t.MerchantID)
	if err != nil {
		return err
	}
	p, err := r.payment(ctx, t.PaymentID)
	if err != nil {
		return err
	}
	if err := profile.Readable(p); err != nil {
		return err
	}
	connector, ok := r.Connectors[t.Connector]
	if !ok {
		return r.review(ctx, profile, t, fmt.Sprintf("connector %q is not configured", t.Connector))
	}
	try := *t // the deadline of this question, not of the first call
	try.DeadlineAt = r.Now().Add(r.timeout(t.Connector))
	op := r.operation(p, &try, profile)
	f := &call{merchant: profile, p: p, t: t, asked: true, beside: true}
	answer, why, err := r.evidence(ctx, connector, f, &try, op)
	if err != nil {
		return err
	}
	if why != "" {
		return r.review(ctx, profile, t, why)
	}
	if left := r.leftToPayer(profile, p, t, answer); left > 0 {
		answer = unchanged(t, "")
		answer.Again = left
	}
	_, err = r.settle(ctx, f, &outcome{}, answer)
	return err
}

// evidence walks the table of reliability.md, 4.4. why is set if a person has to decide. errNotAsked means
// that we could not ask, so it does not count as a question.
func (r *recovery) evidence(ctx context.Context, connector methods.Connector, f *call, try *records.Transaction,
	op methods.Operation) (answer methods.Answer, why string, err error) {
	t, can := f.t, methods.CapabilitiesOf(connector)
	finder, canFind := connector.(methods.Finder)
	late := r.Now().After(t.DeadlineAt.Add(can.Lateness)) // of the question: its answer says nothing of later
	if canFind {
		answer = r.ask(ctx, inquiry{f.p, try, observe.CallFind},
			func(ctx context.Context) methods.Answer { return finder.Find(ctx, op) }, nil)
		switch answer.Result {
		case methods.ResultUnknown, methods.ResultNotSent: // the question failed: nothing is known
			return unchanged(t, answer.Cause), "", stopped(ctx)
		case methods.ResultNotFound:
		default:
			return answer, "", nil
		}
		if accepted(t) {
			return answer, "the acquirer no longer finds an operation that it had accepted", nil
		}
	}
	switch {
	case canFind && can.Lateness > 0 && !late:
		answer = methods.Unknown(op, "the acquirer has not received it yet")
		answer.Again = t.DeadlineAt.Add(can.Lateness).Sub(r.Now()) + time.Second
		return answer, "", nil
	case interrupted(t, r.Now()):
		return methods.Answer{},
			"the outcome of the payer's return or answer is unknown, and the acquirer cannot be asked", nil
	case t.Outcome == store.Waiting: // the acquirer cannot be asked; the payer or a notification may still come
		return methods.Pending(op, nil), stranded(connector, t, r.Now()), nil
	case can.IdempotentByKey && t.ErasedAt.IsZero() &&
		(needsNoCode(&op) || t.SealedWallet != nil || can.ResendWithoutCode):
		return r.resend(ctx, connector, f, try, op)
	case canFind && can.Lateness > 0:
		f.absent = true
		return methods.Declined(op, "Not processed"), "", nil
	default:
		return methods.Answer{}, "the outcome is unknown, and the acquirer cannot be asked", nil
	}
}

// errNotAsked means that recovery could not ask, for a reason that is not the connector's.
var errNotAsked = errors.New("gateway: the acquirer could not be asked")

// stopped returns the error of a question that failed because the gateway was stopping.
func stopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", errNotAsked, context.Cause(ctx))
	}
	return nil
}

// needsNoCode reports whether an operation never carries a security code: an operation on an earlier charge,
// a payout, or a charge by a wallet's token.
func needsNoCode(op *methods.Operation) bool {
	return op.ParentKey != "" || op.Kind == store.OpCredit
}

// resend sends the same request with the same key once more, without what is not stored. That is the security
// code, so a charge is resent only to connectors that declare it; and the secret of the payer's return link,
// so a connector that redirects again must have the link from the first time. What has changed meanwhile is not sent.
func (r *recovery) resend(ctx context.Context, connector methods.Connector, f *call, try *records.Transaction,
	op methods.Operation) (methods.Answer, string, error) {
	is, err := r.result(ctx, f.t.PaymentID, f.t.ID)
	if err != nil {
		return methods.Answer{}, "", err
	}
	if is.Transaction.Version != f.t.Version { // closed or accepted during the question
		return unchanged(&is.Transaction, "it has changed since the question"), "", nil
	}
	err = r.Seals.Open(ctx, f.t, &op)
	if err != nil && !due.IsShut(err) { // the key provider may be back by the next time
		return methods.Answer{}, "", fmt.Errorf("%w: %w", errNotAsked, err)
	}
	if err != nil {
		r.Log.Error("sealed data of a transaction cannot be opened", "transaction", f.t.ID, "error", err)
		return methods.Answer{}, "the sealed data of the operation cannot be opened", nil
	}
	answer := r.ask(ctx, inquiry{f.p, try, observe.CallPerform},
		func(ctx context.Context) methods.Answer { return connector.Perform(ctx, op) }, nil)
	if answer.Result == methods.ResultUnknown || answer.Result == methods.ResultNotSent {
		return answer, "", stopped(ctx)
	}
	return answer, "", nil
}
