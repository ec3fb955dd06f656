package vcard

import (
	"errors"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// commissionOf returns the commission of a debit and of the calculation before it: always half a unit of the
// currency, or a whole one in currencies without halves. A debit of a card has none.
func commissionOf(op methods.Operation) store.Amount {
	byCard := op.Card != nil || op.MethodKind == methods.KindCard
	if op.Kind != store.OpCalc && (op.Kind != store.OpDebit || byCard) {
		return store.Amount{}
	}
	switch n := decimalsOf(op.Currency, op.Amount); n {
	case 0:
		return store.MustAmount("1")
	default:
		return store.MustAmount("0.5" + strings.Repeat("0", n-1))
	}
}

// tooLarge reports whether no record could hold the amount together with its commission.
func (e Entry) tooLarge() bool {
	_, err := e.Amount.Add(e.Commission).MarshalText()
	return err != nil
}

// completes returns why a debit does not complete the calculation that it names, or nothing, and records that it
// does. A declined debit may be followed by another. A parent that is not a calculation, like the first debit of a
// chain, requires nothing.
func (b books) completes(tx store.Tx, e *Entry, op methods.Operation, now time.Time) (reason string, err error) {
	calc, err := b.chargeOf(tx, op)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return "Calculation is not known", nil
	case err != nil || calc.Kind != store.OpCalc:
		return "", err
	}
	switch calc = calc.at(now); {
	case calc.State != StateApproved:
		return "Calculation is not approved", nil
	case calc.Currency != e.Currency || calc.Amount.Cmp(e.Amount) != 0:
		return "Amount differs from what was calculated", nil
	}
	if calc.Completed != "" && calc.Completed != e.Key {
		before, err := b.get(tx, calc.Completed)
		if err != nil || before.at(now).State != StateDeclined {
			return "Calculation is completed already", err
		}
	}
	calc.Completed, e.Calc = e.Key, calc.Key
	return "", b.put(tx, calc)
}
