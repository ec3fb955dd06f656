package vcard

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/store"
)

// errAmount says that what a payer wrote is no amount he can pay.
var errAmount = errors.New("vcard: the amount cannot be paid")

// chosen reports whether the amount is known.
func (e Entry) chosen() bool { return !e.Open || !e.Amount.IsZero() }

// amountText is the amount as a payer reads it.
func (e Entry) amountText() string {
	if !e.chosen() {
		return "Any amount in " + e.Currency
	}
	return e.Amount.String() + " " + e.Currency
}

// choose takes the amount that the payer wrote, where it is for him to choose one.
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

// amountOf reads what a payer wrote by the grammar of store.ParseAmount: above zero, and no finer than a
// currency of ISO 4217 is.
func amountOf(currency, text string) (store.Amount, error) {
	amount, err := store.ParseAmount(text)
	if err != nil || amount.IsZero() || amount.Decimals() > finest(currency) {
		return store.Amount{}, errAmount
	}
	return amount, nil
}

// finest is how many decimals an amount may have. Of other currencies only the host knows.
func finest(currency string) int {
	if c, ok := iso(currency); ok {
		return c.Exponent
	}
	return store.MaxDecimals
}

// Pay lets the payer of a shown payment pay, as Confirm on the page does; amount is what he chooses where
// the amount is open, and is not looked at elsewhere. Errors: store.ErrNotFound for an unknown key,
// ErrDecided for an entry that does not wait to be paid, store.ErrAmount for an open amount of nothing or
// one finer than its currency.
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
