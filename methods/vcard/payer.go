package vcard

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// errForged: what a browser sent does not fit the ledger. The page shows no details.
var errForged = errors.New("vcard: the request does not belong to a payment")

// sign makes a token for one use of one reference. Only the holder of the secret can make it.
func (c *Connector) sign(use, reference string) string {
	mac := hmac.New(sha256.New, []byte(c.secret.Reveal()))
	mac.Write([]byte(use + "\n" + reference))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (c *Connector) signed(use, reference, token string) bool {
	return hmac.Equal([]byte(c.sign(use, reference)), []byte(token))
}

// visit is a payer's browser on one of the pages.
type visit struct {
	use       string // the use of the token: which page
	reference string
	token     string
	back      string // the return URL, which has to be the payment's own; none on /pay
}

// The uses of the pages' tokens.
const (
	useACS  = "PaReq"
	useBank = "ticket"
	usePay  = "pay"
)

// see returns the entry that a visit belongs to, or errForged.
func (c *Connector) see(r store.Reader, v visit) (Entry, error) {
	if !c.signed(v.use, v.reference, v.token) {
		return Entry{}, errForged
	}
	e, err := c.books.byReference(r, v.reference)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return e, errForged
	case err != nil:
		return e, err
	case v.use == usePay: // only a payer who sees how to pay has the token
		return e.at(c.now()), nil
	case e.ThreeDS != (v.use == useACS) || !hmac.Equal([]byte(e.ReturnHash), []byte(hash(v.back))):
		return e, errForged
	}
	return e.at(c.now()), nil
}

// look reads the entry that a visit belongs to.
func (c *Connector) look(ctx context.Context, v visit) (e Entry, err error) {
	err = c.books.store.View(ctx, func(r store.Reader) error {
		e, err = c.see(r, v)
		return err
	})
	return e, err
}

// decided stores the payer's decision. The first one counts: pressing again, or going back and pressing the other
// button, changes nothing. A bank books at once; an issuer only permits the acquirer to book. amount is what the
// payer entered, read only for an open amount; errAmount for one that cannot be paid.
func (c *Connector) decided(ctx context.Context, v visit, confirmed bool, amount string) (e Entry, err error) {
	now := c.now()
	err = c.books.store.Update(ctx, func(tx store.Tx) error {
		if e, err = c.see(tx, v); err != nil {
			return err
		}
		if !e.awaits(v.use) {
			return nil
		}
		if confirmed && v.use == usePay {
			if err = e.choose(amount); err != nil {
				return err
			}
		}
		e.Payer = payerFailed
		if confirmed {
			e.Payer = payerConfirmed
		}
		if !e.ThreeDS {
			e.settle(now)
		}
		return c.books.put(tx, e)
	})
	return e, err
}

// awaits reports whether the payer still has to decide on a page.
func (e Entry) awaits(use string) bool {
	if use == usePay {
		return e.State == StateShown
	}
	return e.State == StateAway && e.Payer == ""
}

// settle ends the wait after the payer's decision.
func (e *Entry) settle(now time.Time) {
	e.Due = time.Time{}
	switch {
	case e.Payer == payerConfirmed && !e.Refused:
		e.book(now)
	case e.Payer == payerConfirmed:
		e.decline(e.Later, e.Soft)
	case e.ThreeDS:
		e.decline(reasonNo3DS, false)
	case e.State == StateShown:
		e.decline(reasonRefused, false)
	default:
		e.decline(reasonLeft, false)
	}
}

// Complete verifies what came back and settles op by the ledger. A return only proves that this payer was on the
// page; any outcome in it is ignored. The payer's answers to prompts are accepted as entered, only a one-time code
// of zeros is wrong. A forged return, or one of another payment, is unverified and changes nothing.
func (c *Connector) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	if ctx.Err() != nil {
		return methods.Unknown(op, "the context has ended")
	}
	o := c.scripts.take(CallComplete, op)
	if a, stop := o.halt(ctx, op, before); stop {
		return a
	}
	do := c.complete
	if back.Method == methods.Answered {
		do = c.completeAnswer
	}
	e, err := do(ctx, op, back, o.plan)
	switch {
	case errors.Is(err, errForged):
		return methods.Unverified(op, "the return does not belong to the operation")
	case err != nil:
		return methods.Unknown(op, "the ledger failed: "+err.Error())
	}
	if a, stop := o.halt(ctx, op, after); stop {
		return a
	}
	return o.spoiled(c.answer(op, e))
}

func (c *Connector) complete(ctx context.Context, op methods.Operation, back methods.Return,
	p *plan) (e Entry, err error) {
	now := c.now()
	err = c.books.store.Update(ctx, func(tx store.Tx) error {
		if e, err = c.books.get(tx, op.Key); errors.Is(err, store.ErrNotFound) {
			return errForged
		}
		switch {
		case err != nil:
			return err
		case !e.same(op) || e.ReturnHash == "" || !c.returned(e, op, back):
			return errForged
		}
		if e = e.at(now); e.State != StateAway || e.Payer == "" {
			return nil
		}
		if p != nil && p.verdict == decline {
			e.Refused, e.Later, e.Soft = true, p.reason, p.soft
		}
		e.settle(now)
		return c.books.put(tx, e)
	})
	return e, err
}

// returned checks the return against the entry: its own reference, and the token that only the page has.
func (c *Connector) returned(e Entry, op methods.Operation, back methods.Return) bool {
	name, token, use, method := "payment", "proof", "proof", "GET"
	if e.ThreeDS {
		name, token, use, method = "MD", "PaRes", "PaRes", "POST"
	}
	reference, proof := back.Params[name], back.Params[token]
	return back.Method == method && len(reference) == 1 && len(proof) == 1 &&
		hmac.Equal([]byte(reference[0]), []byte(e.Reference)) && c.signed(use, e.Reference, proof[0]) &&
		(len(op.Continuation) == 0 || hmac.Equal(op.Continuation, []byte(e.Reference)))
}
