package methods

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// operatorChecks: the slug is known, and the operator is of the country whose currency the order has.
func operatorChecks(Rule, *tags) ([]check, error) {
	known := check{"known", func(value string, b *beside) string {
		if b.operator(value) != nil {
			return ""
		}
		return "must be an operator: " + strings.Join(b.slugs(), ", ")
	}}
	country := check{"currency", func(value string, b *beside) string {
		o, currency := b.operator(value), b.ctx.field("order_currency")
		if o == nil || currency == o.Currency || !slices.Contains(b.operatorCurrencies(), currency) {
			return ""
		}
		return "must be an operator for " + currency
	}}
	return []check{known, country}, nil
}

// operatorNumberChecks reports nothing when the operator itself is wrong: that is a fault of its own.
func operatorNumberChecks(r Rule, _ *tags) ([]check, error) {
	return []check{{"number", func(value string, b *beside) string {
		o := b.operator(b.other(r.With))
		if o == nil || o.number.MatchString(value) {
			return ""
		}
		return "must be a mobile number of the operator's country, " + o.Country
	}}}, nil
}

func operatorCurrencyChecks(Rule, *tags) ([]check, error) {
	return []check{{"currency", func(value string, b *beside) string {
		currencies := b.operatorCurrencies()
		if slices.Contains(currencies, value) {
			return ""
		}
		return "must be one of " + strings.Join(currencies, ", ")
	}}}, nil
}

// operatorAmountChecks: the format of the order's currency, and the range of the operator, which does not apply to
// another currency.
func operatorAmountChecks(r Rule, _ *tags) ([]check, error) {
	format := check{"format", func(value string, b *beside) string {
		currency, known := b.ctx.Currencies.Lookup(b.ctx.field("order_currency"))
		if !known {
			return ""
		}
		if err := CheckAmount(Payout.Short(b.ctx.ShortAmounts), currency, value); err != nil {
			return err.Error()
		}
		return ""
	}}
	within := check{"range", func(value string, b *beside) string {
		o := b.operator(b.other(r.With))
		amount, err := store.ParseAmount(value)
		if err != nil || o == nil || b.ctx.field("order_currency") != o.Currency ||
			amount.Cmp(o.min) >= 0 && amount.Cmp(o.max) <= 0 {
			return ""
		}
		return fmt.Sprintf("must be within %s..%s %s", o.Min, o.Max, o.Currency)
	}}
	return []check{format, within}, nil
}
