package reference

import (
	"github.com/tollgatepay/gateway/internal/envelope"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/s2s"
)

// Errors is the page of the refusals.
func Errors() string {
	w := &page{}
	w.line("<!-- Written by go generate ./internal/reference. Do not edit. -->\n")
	w.line("# Errors\n")
	sample := func(path string) *refusal.Error {
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: path, Text: fields.TextPositive})
	}
	w.line("%s\n", wrapped(refusalsSay))
	w.line("```json\n%s\n```\n\nand S2S\n\n```json\n%s\n```\n", envelope.Fail(sample("order.amount")).Body,
		s2s.Refused(sample("order_amount")))
	plain := refusal.ErrRefund
	w.line("%s\n", wrapped(faultsSay))
	w.line("```json\n%s\n```\n\n```json\n%s\n```\n", envelope.Fail(plain).Body, s2s.Refused(plain))
	w.line("%s\n", wrapped(codesSay))
	w.line("| Code | HTTP | Message | When | Since |\n|--:|--:|---|---|---|")
	for _, row := range refusal.Catalogue() {
		e := row.Error
		w.line("| %d | %d | %s | %s | %s |", e.Code(), e.Status(), e.Error(), row.When, e.Since())
	}
	w.line("\nS2S alone:\n\n| Code | HTTP | Message | Since |\n|--:|--:|---|---|")
	for _, e := range s2s.Refusals() {
		w.line("| %d | %d | %s | %s |", e.Code(), e.Status(), e.Message(), e.Since())
	}
	w.line("\n## Messages of fields\n\n%s\n", wrapped(fieldsRefused))
	w.line("| Message | When |\n|---|---|")
	for _, row := range fieldMessages {
		w.line("| %s | %s |", row.message, row.when)
	}
	return w.text.String()
}

const fieldsRefused = "In an entry of `errors`, after the path of the field, a colon and a space; the code is " +
	"100000. These are the usual ones. Any other says in its words what the field has to be, as the table of the " +
	"call does."

// fieldMessages are the usual texts of refused fields.
var fieldMessages = []struct{ message, when string }{
	{fields.TextBlank, "a required field is missing or empty"},
	{fields.TextInvalid, "a currency, a country, a date or another value is none"},
	{fields.TextChoice, "the value is none of those that the field has"},
	{fields.TextURL, "no absolute URL of http or https"},
	{fields.TextPositive, "an amount of zero or less. Checkout names the field `amount` when a sale is of zero, as the " +
		"platform does, and `order.amount` when it is less"},
	{"must be a decimal number with 2 decimals, like 12.34", "an amount with other decimals than [its " +
		"currency](README.md#amounts) has"},
	{fields.TextLong(32), "a text is too long; the number is that of the field"},
	{fields.TextShort(2), "a text is too short"},
	{fields.TextCard, "a card number stands in a field that is for another text"},
	{fields.TextPrintable, "a text has characters that are not printed"},
	{"Hash is not valid.", "`hash` of Checkout and of a token request"},
	{fields.TextPaid, "`order_id` of S2S has a payment already; take another"},
	{fields.TextRepeated, "a field is sent twice"},
	{fields.TextJSON, "`Content-Type` of a request whose body is JSON"},
	{fields.TextFixed("name"), "without a path: an update of Hosted Payment Fields has a field that it does not know"},
	{fields.TextDeprecated, "without a path: `delays` of a schedule"},
	{fields.TextStatusSize, "without a colon: `size` of a status request"},
}
