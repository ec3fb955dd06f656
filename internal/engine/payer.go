package engine

import (
	"context"
	"encoding/json"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Complete makes the call that a return is for, unless another browser has. What came back comes once, so it is
// brought to its end whatever becomes of the browser's request.
func (e *Engine) Complete(ctx context.Context, t *store.Transaction, back PayerReturn) error {
	if t.Outcome.Final() || !accepted(t) { // there is an outcome, or the payer was not sent away
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	l, err := e.returns.laterCall(ctx, t, back)
	if err != nil || l == nil {
		return err
	}
	m, err := l.takeReturn(ctx)
	if err != nil || m == nil {
		return err
	}
	return l.call(ctx, m)
}

// Answer hands what a payer filled in to the connector that asked for it. t is the transaction as it was when they
// were asked, with the parameters that stay. A second answer while the first is under way makes no call.
func (e *Engine) Answer(ctx context.Context, t *store.Transaction, back PayerReturn) error {
	l, err := e.returns.laterCall(ctx, t, back)
	if err != nil || l == nil {
		return err
	}
	m, err := l.takePrompts(ctx)
	if err != nil || m == nil {
		return err
	}
	return l.call(ctx, m)
}

// Next is where the payer has to go; nil when that is not known.
func (e *Engine) Next(t *store.Transaction, link []byte) *store.Redirect {
	if next := e.calls.redirects.get(t.ID, e.Now()); next != nil {
		return next
	}
	plain, err := vault.OpenHeld(link, vault.ReturnData, t.ID, t.SealedRedirect)
	if err != nil {
		return nil
	}
	defer vault.Wipe(plain)
	var next store.Redirect
	if json.Unmarshal(plain, &next) != nil {
		return nil
	}
	return &next
}

// ReturnsAgain is where the page sends the payer back to whose return has no known outcome; nil
// where that leads nowhere.
func (e *Engine) ReturnsAgain(t *store.Transaction, link []byte) *store.Redirect {
	m, connector := t.Returning, e.Connectors[t.Connector]
	_, canFind := connector.(methods.Finder)
	if !m.Lapsed(e.Now()) || len(m.Kept) == 0 || !canFind && !methods.CapabilitiesOf(connector).IdempotentByKey {
		return nil
	}
	plain, err := vault.OpenHeld(link, vault.ReturnData, t.ID+"/return", m.Kept)
	if err != nil {
		return nil
	}
	defer vault.Wipe(plain)
	var next store.Redirect
	if json.Unmarshal(plain, &next) != nil {
		return nil
	}
	return &next
}
