package vcard

import (
	"errors"
	"strings"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// unit returns one unit of a currency.
func unit(currency string) store.Amount {
	if n := decimalsOf(currency, store.Amount{}); n > 0 {
		return store.MustAmount("1." + strings.Repeat("0", n))
	}
	return store.MustAmount("1")
}

// decimalsOf returns the decimals of a currency of ISO 4217. The decimals of any other only its host knows, and
// the amount shows them.
func decimalsOf(currency string, amount store.Amount) int {
	if c, ok := iso(currency); ok {
		return c.Exponent
	}
	return amount.Decimals()
}

func iso(currency string) (methods.Currency, bool) {
	var currencies *methods.Currencies
	return currencies.Lookup(currency)
}

// errAmount: what a payer entered is not an amount that can be paid.
var errAmount = errors.New("vcard: the amount cannot be paid")

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
