package vcard

import (
	"context"
	"crypto/hmac"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// visit is a payer's browser on one of the pages.
type visit struct {
	use       string // the use of the token: which page
	reference string
	token     string
	back      string // the return URL, which has to be the payment's own; none on /pay
}

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

// Pay lets the payer of a displayed payment pay, like Confirm on the page. amount is the payer's choice when the
// amount is open, and ignored otherwise. Errors: store.ErrNotFound for an unknown key, ErrDecided for an entry
// that does not wait to be paid, store.ErrAmount for an open amount that is zero or has more decimals than its
// currency.
func (c *Connector) Pay(ctx context.Context, key string, amount store.Amount) error {
	now := c.now()
	return c.books.store.Update(ctx, func(tx store.Tx) error {
		e, err := c.books.get(tx, key)
		if err != nil {
			return err
		}
		if e = e.at(now); !e.awaits(usePay) {
			return ErrDecided
		}
		if e.choose(amount.String()) != nil {
			return store.ErrAmount
		}
		e.Payer = payerConfirmed
		e.settle(now)
		return c.books.put(tx, e)
	})
}
