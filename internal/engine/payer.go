package engine

import (
	"context"
	"encoding/json"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Complete makes the call for a payer's return, unless another browser has made it. The issuer sends a return
// only once, so the call runs to its end even if the browser's request is cancelled.
func (e *Engine) Complete(ctx context.Context, p *records.Payment, t *records.Transaction, back PayerReturn) error {
	if t.Outcome.Final() || !accepted(t) { // there is an outcome, or the payer was not redirected
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	l, err := e.returns.laterCall(ctx, p, t, back)
	if err != nil || l == nil {
		return err
	}
	m, err := l.takeReturn(ctx)
	if err != nil || m == nil {
		return err
	}
	return l.call(ctx, m)
}

// Answer sends a payer's answers to the connector that prompted for them. t is the transaction as it was at
// the prompt, with the parameters that stay. A second answer while the first is under way makes no call.
func (e *Engine) Answer(ctx context.Context, p *records.Payment, t *records.Transaction, back PayerReturn) error {
	l, err := e.returns.laterCall(ctx, p, t, back)
	if err != nil || l == nil {
		return err
	}
	m, err := l.takePrompts(ctx)
	if err != nil || m == nil {
		return err
	}
	return l.call(ctx, m)
}

// Next returns where the payer of an open charge has to go: where the acquirer sends them, or to the page of ours that
// shows or asks something. link is the secret of that page, and page its address; without an address only the
// acquirer's counts. It returns nil if there is nowhere to go, or if it is not known.
func (e *Engine) Next(t *records.Transaction, link []byte, page string) *store.Redirect {
	if next := e.calls.redirects.get(t.ID, e.Now()); next != nil {
		return next
	}
	if page != "" && (t.Display != nil || len(t.Prompts) > 0) {
		return toPage(page, t.Display)
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

// ReturnsAgain returns where the page sends a payer whose return has no known outcome; nil if there is no
// such address.
func (e *Engine) ReturnsAgain(t *records.Transaction, link []byte) *store.Redirect {
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
