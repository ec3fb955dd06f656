package s2s

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
)

// isCurrency accepts the currencies of ISO 4217.
var isCurrency = fields.Rule[*reading]{Form: currencyForm, Check: func(r *reading, value string) string {
	currency, ok := r.client.Currency(value)
	return fields.Sound(ok && !currency.Crypto, fields.TextInvalid)
}}

var currencyForm = fields.Form{Pattern: "^[A-Z]{3}$", Words: "code of ISO 4217"}

// isAnyCurrency accepts crypto currencies too.
var isAnyCurrency = fields.Asks("code of ISO 4217, or a coin of the gateway", func(r *reading, value string) string {
	_, ok := r.client.Currency(value)
	return fields.Sound(ok, fields.TextInvalid)
})

// inCurrency returns the rule of an amount in the format of order_currency. When that is wrong only the number is
// checked, because the format is not known.
func inCurrency(format methods.Format) rule {
	return rule{Form: fields.AmountForm, Check: func(r *reading, value string) string {
		if fields.IsNegative(value) {
			return "" // isPositive reports it
		}
		currency, ok := r.client.Currency(r.text("order_currency"))
		if !ok {
			return isDecimal.Check(r, value)
		}
		format := format.Short(r.client.Mapping(r.protocol).ShortAmounts)
		if err := methods.CheckAmount(format, currency, value); err != nil {
			return err.Error()
		}
		return ""
	}}
}

// isPrice is isPositive, but an authorization and the first payment of a chain may be for zero: they verify a card
// (SPEC1, version history 6.7.0).
var isPrice = fields.Asks("greater than 0, or 0 for an authorization and the first payment of a chain", price)

func price(r *reading, value string) string {
	free := r.holds() || r.takes("recurring_init") && r.text("recurring_init") == "Y"
	if free && !fields.IsNegative(value) {
		return ""
	}
	return isPositive.Check(r, value)
}

// amount returns the required order_amount of an action, in the format of order_currency.
func amount(format methods.Format, zero rule) field { return orderAmount(inCurrency(format), zero) }

// orderAmount is order_amount under other rules. A blank one has two faults, as in the documents' sample (errors.md,
// "Order of entries").
func orderAmount(rules ...rule) field {
	f := required("order_amount", rules...)
	f.Missing = fields.TextPositive
	return f
}

// amountOrOpen may be absent in crypto: the payer chooses then (s2s_apm.md, SALE).
func amountOrOpen(format methods.Format) field {
	f := amount(format, isPrice)
	f.Needed = unlessCrypto
	return f
}

var unlessCrypto = fields.If("unless the payment is in crypto", func(r *reading) bool { return !r.byCrypto() })

// inCrypto reports whether the request is in a crypto currency.
func (r *reading) inCrypto() bool {
	currency, ok := r.client.Currency(r.text("order_currency"))
	return ok && currency.Crypto
}

// byCrypto reports whether the request is in a crypto currency or by a method of crypto.
func (r *reading) byCrypto() bool {
	method, ok := r.client.Method(r.text("brand"))
	return r.inCrypto() || ok && method.Kind == methods.KindCrypto
}
