package engine

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Linked returns the payment and the transaction of a return or notification link, and the link's secret. The link has
// the payment's id; the secret's hash tells the transaction.
func (e *Engine) Linked(ctx context.Context, token string,
	hash func(*records.Transaction) string) (*Result, []byte, error) {
	id, secret, ok := links.Split(token)
	if !ok {
		return nil, nil, refusal.ErrNoSession
	}
	p, err := e.calls.payment(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil, refusal.ErrNoSession
	}
	if err != nil {
		return nil, nil, err
	}
	want := []byte(links.Hash(secret))
	for _, of := range p.Transactions {
		kept := hash(of)
		if kept != "" && subtle.ConstantTimeCompare([]byte(kept), want) == 1 {
			return &Result{Payment: *p, Transaction: *of}, secret, nil
		}
	}
	return nil, nil, refusal.ErrNoSession
}

// Notify applies an acquirer's notification about the transaction that its link names. A notification that
// the connector cannot verify changes nothing. It returns ErrNoSession for an unknown link. After any other
// error the acquirer should send the notification again; this includes a connector that could not read it in
// time.
func (e *Engine) Notify(ctx context.Context, token string, note methods.Note) error {
	r, _, err := e.Linked(ctx, token, links.NotifyHash)
	if err != nil {
		return err
	}
	p, t := &r.Payment, &r.Transaction
	profile, err := e.Merchant(ctx, t.MerchantID)
	if err != nil {
		return err
	}
	if err := profile.Readable(p); err != nil {
		return err
	}
	reader, ok := e.Connectors[t.Connector].(methods.Notified)
	if !ok {
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: "",
			Text: fmt.Sprintf("connector %q takes no notifications", t.Connector)})
	}
	try := *t
	try.DeadlineAt = e.Now().Add(e.calls.timeout(t.Connector))
	op := e.calls.operation(p, &try, profile)
	answer := e.calls.ask(context.WithoutCancel(ctx), inquiry{p, &try, observe.CallNotify},
		func(ctx context.Context) methods.Answer { return reader.Notification(ctx, op, note) }, nil)
	switch answer.Result {
	case methods.ResultUnknown, methods.ResultNotSent: // not read: the acquirer has to send it again
		return fmt.Errorf("a notification about transaction %s was not read: %s", t.ID, answer.Cause)
	case methods.ResultUnverified:
		e.Log.Warn("a notification could not be verified", "transaction", t.ID, "cause", answer.Cause)
		return nil
	default:
		_, err = e.calls.apply(ctx, profile, t, answer)
		return err
	}
}
