package engine

import (
	"context"
	"encoding/json"
	"io"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/seal"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// calls makes calls whose intent is stored, and applies their answers.
type calls struct {
	*settler
	marks     *marks
	redirects *redirects
	Site      links.Site
	Seals     *seal.Sealer
	Random    io.Reader
}

// Room is memory for what the call of a charge needs until its outcome is stored, in one piece. The result of the
// charge is a part of it.
type Room struct {
	given   methods.Operation
	call    call
	outcome outcome
}

// apply is step three for an answer that arrives later: from recovery, a notification or a person.
func (c *calls) apply(ctx context.Context, profile Merchant, t *records.Transaction,
	answer methods.Answer) (*Result, error) {
	return c.settle(ctx, &call{merchant: profile, t: t, asked: true, beside: true}, &outcome{}, answer)
}

// perform is steps two and three of a call. They finish even if the caller's request is cancelled; the
// connector's deadline bounds them.
func (c *calls) perform(ctx context.Context, f *call, o *outcome,
	ask func(context.Context) methods.Answer) (*Result, error) {
	ctx = context.WithoutCancel(ctx)
	answer := c.ask(ctx, inquiry{f.p, f.t, f.calls}, ask, func(late methods.Answer) {
		if f.cameToNothing(late) {
			c.logNothing(f.t, late)
			c.marks.giveBack(ctx, f.t, f.mark, late)
			return
		}
		after := *f
		after.asked, after.late, after.next = true, true, nil
		if _, err := c.settle(ctx, &after, &outcome{}, late); err != nil {
			c.Log.Error("a late answer could not be applied", "transaction", f.t.ID, "error", err)
		}
	})
	f.mark.end()
	if f.mark != nil && f.mark.sentNothing() {
		answer = answerOfQuestion(f.t, answer)
	}
	if f.cameToNothing(answer) {
		c.logNothing(f.t, answer)
		c.marks.withdraw(ctx, f.t, f.mark, answer)
		return c.result(ctx, f.t.PaymentID, f.t.ID)
	}
	return c.settle(ctx, f, o, answer)
}

func (c *calls) logNothing(t *records.Transaction, answer methods.Answer) {
	c.Log.Warn("a payer's return or answer had no effect", "transaction", t.ID, "result", answer.Result,
		"cause", answer.Cause)
}

// settle is step three of a call, with an empty outcome to fill. After a soft decline it also charges the next attempt.
func (c *calls) settle(ctx context.Context, f *call, o *outcome, answer methods.Answer) (_ *Result, err error) {
	o.answer, o.mark = answer, f.mark
	if f.alone != nil && needsStatusPage(answer) {
		if o.page, err = f.alone(); err != nil {
			return nil, err
		}
	}
	o.away = f.redirectOf(answer, o.page)
	if o.sealed, err = c.sealRedirect(f, answer.Redirect); err != nil {
		return nil, err
	}
	elsewhere := answer.Result == methods.ResultDeclined && answer.Soft || answer.Result == methods.ResultNotSent
	if elsewhere && f.next != nil {
		if o.next, err = f.next(ctx); err != nil && f.reloads {
			return nil, err
		} else if err != nil { // the decline is valid without a next attempt
			c.Log.Error("no next attempt could be made", "transaction", f.t.ID, "error", err)
		}
	}
	for _, row := range c.Consequences {
		if row.Before == nil {
			continue
		}
		if err := row.Before(ctx, answer); err != nil {
			c.Log.Warn("a consequence could not be prepared", "consequence", row.Name, "transaction", f.t.ID, "error", err)
		}
	}
	if o.away != nil {
		if o.seal, err = c.Seals.Ready(ctx); err != nil {
			return nil, err
		}
	}
	r, err := c.applyOutcome(ctx, f, o)
	switch {
	case err != nil:
		return nil, err
	case o.cascaded:
		return c.charge(ctx, o.next, &Room{})
	case o.changed && r.Transaction.Outcome == store.Waiting:
		r.Redirect = o.away
	}
	if o.led && f.link != nil && answer.Redirect != nil && f.inMemory() {
		c.redirects.put(f.t.ID, answer.Redirect, c.Now())
	}
	return r, nil
}

// charge performs an operation whose intent is stored.
func (c *calls) charge(ctx context.Context, op *Operation, room *Room) (*Result, error) {
	given, f := &room.given, &room.call
	*given = c.operation(&op.Payment, &op.Transaction, op.Merchant)
	c.addSecrets(given, &op.Give)
	*f = call{
		merchant: op.Merchant, protocol: op.Payment.Protocol, p: &op.Payment, t: &op.Transaction, calls: observe.CallPerform,
		link: op.Link, hosted: op.Hosted, alone: op.Alone, written: op.written,
	}
	if op.Next != nil {
		f.next = func(ctx context.Context) (*Operation, error) { return op.Next(ctx, op) }
	}
	connector := c.Connectors[op.MID.Connector]
	return c.perform(ctx, f, &room.outcome, func(ctx context.Context) methods.Answer {
		if lacksBrowserFields(connector, op.Transaction.Browser) {
			return methods.Declined(*given, "INVALID_REQUEST")
		}
		return connector.Perform(ctx, *given)
	})
}

// addSecrets adds to an operation its links and the secrets that are not stored.
func (c *calls) addSecrets(op *methods.Operation, g *Give) {
	op.Card, op.PayeeCard, op.MPI, op.Wallet, op.Parameters = g.Card, g.PayeeCard, g.MPI, g.Wallet, g.Parameters
	op.ReturnURL = c.Site.Return(links.Token(op.PaymentID, g.Secret))
	op.NotificationURL = c.Site.Notify(links.Token(op.PaymentID, g.Notice))
}

// sealRedirect seals a redirect for as long as the payer may reload. A connector's redirect carries our
// return link, whose secret must not be stored in plain. With Memory Storage the redirect is kept in memory, once the
// answer is believed.
func (c *calls) sealRedirect(f *call, next *store.Redirect) ([]byte, error) {
	if f.link == nil || next == nil || tooLarge(next) || f.inMemory() { // one that is too large is not believed
		return nil, nil
	}
	plain, err := json.Marshal(next)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return vault.SealHeld(f.link(), vault.ReturnData, f.t.ID, c.Random, plain)
}
