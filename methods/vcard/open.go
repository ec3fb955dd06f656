package vcard

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/store"
)

// errAmount: what a payer entered is not an amount that can be paid.
var errAmount = errors.New("vcard: the amount cannot be paid")

// chosen reports whether the amount is known.
func (e Entry) chosen() bool { return !e.Open || !e.Amount.IsZero() }

// amountText returns the amount as a payer reads it.
func (e Entry) amountText() string {
	if !e.chosen() {
		return "Any amount in " + e.Currency
	}
	return e.Amount.String() + " " + e.Currency
}

// choose sets the amount that the payer entered, if the amount is open.
func (e *Entry) choose(text string) error {
	if e.chosen() {
		return nil
	}
	amount, err := amountOf(e.Currency, text)
	if err == nil {
		e.Amount = amount
	}
	return err
}

// amountOf reads what a payer entered by the grammar of store.ParseAmount: above zero, with no more decimals than
// a currency of ISO 4217 has.
func amountOf(currency, text string) (store.Amount, error) {
	amount, err := store.ParseAmount(text)
	if err != nil || amount.IsZero() || amount.Decimals() > finest(currency) {
		return store.Amount{}, errAmount
	}
	return amount, nil
}

// finest returns how many decimals an amount may have. Of a currency outside ISO 4217 only the host knows.
func finest(currency string) int {
	if c, ok := iso(currency); ok {
		return c.Exponent
	}
	return store.MaxDecimals
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
