package engine

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Complete makes the call that a return is for, unless another browser has. What came back comes once, so it is
// brought to its end whatever becomes of the browser's request.
func (e *Engine) Complete(ctx context.Context, t *store.Transaction, trip PayerReturn) error {
	if t.Outcome.Final() || !accepted(t) { // there is an outcome, or the payer was not sent away
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	l, err := e.laterCall(ctx, t, trip)
	if err != nil || l == nil {
		return err
	}
	m, err := l.takeReturn(ctx)
	if err != nil || m == nil {
		return err
	}
	return l.call(ctx, m)
}

// turnAtCall says what a return comes to.
type turnAtCall int

const (
	callNobody turnAtCall = iota // the call was made, or another browser makes it
	callWaits                    // a call is made about something else that came back, forged perhaps
	callConnector
	callFinder // the connector was called and must not be again: the acquirer is asked
)

// turn decides whether a return may call the connector. What a call came to that has no answer is not known, and
// another one is made only where it has no second effect.
func (l *laterCall) turn(t *store.Transaction, evidence string) turnAtCall {
	m, now := t.Returning, l.e.Now()
	switch {
	case t.Outcome.Final(), !accepted(t):
		return callNobody
	case m.Live(now) && m.Evidence == evidence:
		return callNobody
	case m.Live(now):
		return callWaits
	case l.mayComplete(t) && (m == nil || l.idempotent() || m.Pending && m.Evidence != evidence):
		return callConnector
	case l.finder != nil:
		return callFinder
	}
	return callNobody
}

// takeReturn marks the call of a return; nil when none is to be made. What came back comes once: while a call is
// made about something else, it waits.
func (l *laterCall) takeReturn(ctx context.Context) (*mark, error) {
	evidence := l.trip.evidence()
	kept := l.keep()
	patience := time.NewTimer(l.e.markLife(l.t.Connector))
	defer patience.Stop()
	for {
		turn, err := l.look(ctx, evidence)
		if err != nil || turn == callNobody {
			return nil, err
		}
		if turn != callWaits {
			m, err := l.mark(ctx, evidence, kept)
			if m != nil || err != nil {
				return m, err
			}
		}
		if !rested(patience.C) {
			return nil, nil
		}
	}
}

// look decides without writing.
func (l *laterCall) look(ctx context.Context, evidence string) (turn turnAtCall, err error) {
	err = l.e.Store.View(ctx, func(r store.Reader) error {
		t, err := records.Transactions.Get(r, l.t.ID)
		turn = l.turn(&t, evidence)
		return err
	})
	return turn, err
}

// mark marks the call; nil when somebody was first.
func (l *laterCall) mark(ctx context.Context, evidence string, kept []byte) (*mark, error) {
	e := l.e
	made, err := e.newMark(returning)
	if err != nil {
		return nil, err
	}
	l.deadline = e.Now().Add(e.Timeout(l.t.Connector))
	until := e.Now().Add(e.markLife(l.t.Connector))
	var m *mark
	take := func(tx store.Tx) error {
		m = nil
		t, err := records.Transactions.Get(tx, l.t.ID)
		if err != nil {
			return err
		}
		turn := l.turn(&t, evidence)
		if turn != callConnector && turn != callFinder {
			return nil
		}
		made.asks = turn == callFinder
		made.anew = made.asks && l.mayComplete(&t) && t.Returning.Evidence != evidence
		if err := made.put(tx, &t, store.CallMark{Until: until, Evidence: evidence, Kept: kept}); err != nil {
			return err
		}
		m, l.t = made, &t
		return records.Transactions.Put(tx, t, t.ID)
	}
	err = records.Create(ctx, e.Store, e.marked(l.t.ID, made), take)
	return m, err
}

// errUnmarked: the mark of a call is not in the store.
var errUnmarked = errors.New("gateway: the call is not marked")

// marked reads back whether a mark was stored.
func (e *Engine) marked(id string, m *mark) func(store.Reader) error {
	return func(r store.Reader) error {
		t, err := records.Transactions.Get(r, id)
		if err == nil && !m.holds(&t) {
			return errUnmarked
		}
		return err
	}
}

// lookAgain is how long a return waits before it looks again whether the call before it has ended.
const lookAgain = 50 * time.Millisecond

// rested waits a moment; false when there is no more time.
func rested(over <-chan time.Time) bool {
	timer := time.NewTimer(lookAgain)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-over:
		return false
	}
}

// keep seals the return itself under the secret of the payer's page, so that the page can send the browser back
// to it where this process dies behind the mark: what came back comes once. It is no fault not to keep it.
func (l *laterCall) keep() []byte {
	if l.trip.Link == nil || l.merchant.Mapping(l.p.Protocol).MemoryRedirect {
		return nil
	}
	next := l.e.backAgain(l.t.ID, &l.trip)
	plain, err := json.Marshal(next)
	if err != nil || tooLarge(next) {
		return nil
	}
	defer vault.Wipe(plain)
	box, err := vault.SealHeld(l.trip.Link, vault.ReturnData, l.t.ID+"/return", l.e.Random, plain)
	if err != nil {
		l.e.Log.Warn("a return is not kept", "transaction", l.t.ID, "error", err)
		return nil
	}
	return box
}

// backAgain is the way back that the payer's browser took.
func (e *Engine) backAgain(id string, trip *PayerReturn) *store.Next {
	next := &store.Next{URL: e.Site.Return(links.Token(id, trip.Secret)), Method: trip.Back.Method}
	if next.Method == "GET" {
		if query := url.Values(trip.Back.Params).Encode(); query != "" {
			next.URL += "?" + query
		}
		return next
	}
	names := make([]string, 0, len(trip.Back.Params))
	for name := range trip.Back.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range trip.Back.Params[name] {
			next.Params = append(next.Params, store.NextParam{Name: name, Value: value})
		}
	}
	return next
}

// ReturnsAgain is where the page sends the payer back to whose return found nobody who heard its outcome; nil
// where that leads nowhere.
func (e *Engine) ReturnsAgain(t *store.Transaction, link []byte) *store.Next {
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
	var next store.Next
	if json.Unmarshal(plain, &next) != nil {
		return nil
	}
	return &next
}

// comesAgainWithin is how long the payer has, whose return was interrupted, to come again by the page: until then
// recovery leaves them what only they can bring about, the attempt at another MID.
const comesAgainWithin = 10 * time.Minute

// leftToPayer reports how long recovery leaves a soft decline to the payer whose return was interrupted.
func (e *Engine) leftToPayer(profile Merchant, p *store.Payment, t *store.Transaction, answer methods.Answer) time.Duration {
	m := t.Returning
	soft := answer.Result == methods.ResultDeclined && answer.Soft
	if !soft || t.Outcome != store.Waiting || t.ID != p.ChargeID() || !profile.Mapping(p.Protocol).Cascade ||
		!m.Lapsed(e.Now()) || len(m.Kept) == 0 {
		return 0
	}
	return m.Until.Add(comesAgainWithin).Sub(e.Now())
}
