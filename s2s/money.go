package s2s

import (
	"strings"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// isCurrency takes the currencies of ISO 4217.
func isCurrency(r *reading, value string) string {
	currency, ok := r.client.Currency(value)
	return sound(ok && !currency.Crypto, textInvalid)
}

// isAnyCurrency takes crypto currencies as well.
func isAnyCurrency(r *reading, value string) string {
	_, ok := r.client.Currency(value)
	return sound(ok, textInvalid)
}

// inCurrency is an amount in the format of order_currency. While that is wrong only the number is looked
// at: the format is not known.
func inCurrency(format methods.Format) rule {
	return func(r *reading, value string) string {
		if negative(value) {
			return "" // said by isPositive
		}
		currency, ok := r.client.Currency(r.text("order_currency"))
		if !ok {
			return isDecimal(r, value)
		}
		_, err := methods.ParseAmount(format.Short(r.client.Mapping(r.protocol).ShortAmounts), currency, value)
		if err != nil {
			return err.Error()
		}
		return ""
	}
}

// isDecimal is an amount whose currency is that of a payment.
func isDecimal(_ *reading, value string) string {
	_, err := store.ParseAmount(value)
	return sound(err == nil || negative(value),
		"must be a decimal number of at most 15 digits and 18 decimals, like 12.34")
}

func negative(value string) bool {
	rest, ok := strings.CutPrefix(value, "-")
	_, err := store.ParseAmount(rest)
	return ok && err == nil
}

func isPositive(_ *reading, value string) string {
	amount, err := store.ParseAmount(value)
	return sound(!negative(value) && (err != nil || !amount.IsZero()), textPositive)
}

// isPrice is isPositive, but that a hold and the first payment of a chain may be for nothing: they verify a
// card (SPEC1, version history 6.7.0).
func isPrice(r *reading, value string) string {
	free := r.holds() || r.takes("recurring_init") && r.text("recurring_init") == "Y"
	if free && !negative(value) {
		return ""
	}
	return isPositive(r, value)
}

// amount is the required order_amount of an action: a blank one has two faults, as in the documents'
// sample (errors.md, "Order of entries").
func amount(format methods.Format, zero rule) field {
	return field{name: "order_amount", needed: always, rules: []rule{inCurrency(format), zero}, missing: textPositive}
}

// amountOrOpen may be absent in crypto: the payer chooses then (s2s_apm.md, SALE).
func amountOrOpen(format methods.Format) field {
	f := amount(format, isPrice)
	f.needed = func(r *reading) bool { return !r.byCrypto() }
	return f
}

// inCrypto reports a request in a crypto currency.
func (r *reading) inCrypto() bool {
	currency, ok := r.client.Currency(r.text("order_currency"))
	return ok && currency.Crypto
}

// byCrypto reports a request in a crypto currency or by a method of crypto.
func (r *reading) byCrypto() bool {
	method, ok := r.client.Method(r.text("brand"))
	return r.inCrypto() || ok && method.Kind == methods.KindCrypto
}
