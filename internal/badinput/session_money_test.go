package badinput_test

import (
	"slices"

	"github.com/tollgatepay/gateway/callback/signature"
)

// priced sets currency and amount of a session.
func priced(currency, amount string) []edit {
	return []edit{set("order.currency", currency), set("order.amount", amount)}
}

// Amounts and currencies: the numbers 1 to 18.
var sessionMoney = list("session", slices.Concat(
	each(1, "order.amount", decimals2, "1e2", "1E2", "5e0"),
	each(2, "order.amount", decimals2, "1e999999"),
	each(3, "order.amount", decimals2, "1E-50000000"),
	each(4, "order.amount", decimals2, times(1_000_000, "9"), "1."+times(1_000_000, "0")),
	each(5, "order.amount", greater, "-1.00", "-999999999999999.99"),
	each(6, "order.amount", decimals2, "−5.00"),
	each(7, "order.amount", decimals2, "+5.00", "5.", ".50", "05.00", "5,00", " 5.00", "5.00\n", "５.00", "٥.00", "0x5.00",
		"NaN",
		"Infinity", "1_000.00", "5.00 ", "\t5.00", "5٫00", "5.00\u200b", "1,000.00", "--5.00", "5.0.0", ".", "-", "$5.00",
		"5.00 USD", "1/2",
		"1.00' OR '1'='1"),
	each(8, "order.amount", positive, "0.00"),
	[]row{bad(9, zeroAmount, set("order.amount", "0.00"), set("auth", true))},
	each(10, "order.amount", decimals2, "-0.00"),
	[]row{
		bad(11, "order.amount: JPY needs 2 decimals, like 100.00", priced("JPY", "100.0")...),
		bad(11, "order.amount: JPY needs 2 decimals, like 100.00", priced("JPY", "100.000")...),
		one(11, "order.amount", "100", decimals2),
		bad(12, "order.amount: JPY has no fractions", priced("JPY", "100.50")...),
		bad(13, "order.amount: KWD needs 3 decimals, like 12.345", priced("KWD", "1.00")...),
		bad(13, "order.amount: CLF needs 4 decimals, like 12.3456", priced("CLF", "1.000")...),
		bad(13, "order.amount: WEI needs 18 decimals, like 12.345678901234567890", priced("WEI", "1."+times(19, "0"))...),
		bad(13, positive, priced("JPY", "0")...),
	},
	each(15, "order.amount", ": too large", "92233720368547758.08", "1000000000000000.00", times(50, "9")+".00"),
	each(16, "order.amount", notString, verbatim("10.00"), verbatim("10"), verbatim("1e999999"), verbatim("true"),
		verbatim(`["10.00"]`), verbatim("{}")),
	each(17, "order.amount", greater, "-1"),
	[]row{bad(17, "order.amount"+greater, set("operation", "transfer"), set("payee.name", "Jane Roe"),
		set("order.amount", "-2.00"))},
	each(18, "order.currency", invalid, "usd", "XXX", "US", "USDC", "U\u017fD", "\u212aWD", "UЅD", "840", "USD ", "XTS",
		"US Dollar", times(1000, "U")),
	[]row{
		one(0, "order.amount", "", blank), one(0, "order.amount", verbatim("null"), blank),
		bad(0, "order.amount"+blank, drop("order.amount")),
		one(0, "order.currency", "", blank), bad(0, "order.currency"+blank, drop("order.currency")),
		one(26, "payment_schedule_amount", "5.00", scheduleAmount),
		bad(26, scheduleAmount, set("recurring_init", true), set("schedule_id", "weekly"),
			set("payment_schedule_amount", "0.00")),
		bad(26, scheduleAmount, set("recurring_init", true), set("schedule_id", "weekly"),
			set("payment_schedule_amount", "5.000")),
	},
)...)

const scheduleAmount = "payment_schedule_amount: needs schedule_id and an amount greater than 0 " +
	"in the format of the currency"

// Signature and identity: 19, 28.
var sessionIdentity = list("session", slices.Concat(
	each(28, "hash", badHash, times(39, "a"), times(41, "a"), times(40, "a"), times(40, "z"), times(32, "a"),
		times(64, "a"), times(100_000, "a"), "ａ"+times(39, "a")),
	each(28, "hash", notString, verbatim(`["a"]`), verbatim("0"), verbatim("{}"), verbatim("true")),
	each(28, "hash", blank, "", verbatim("null")),
	[]row{
		bad(28, "hash"+blank, drop("hash")),
		bad(28, badHash, hashed("and a space", func(h string) string { return h + " " })),
		bad(28, badHash, hashed("in capitals", upper)),
		bad(28, badHash, hashed("but for a digit", flipped)),
		bad(28, badHash, signed, set("order.amount", "1.00")),
		bad(28, badHash, signed, set("order.currency", "EUR")),
		bad(28, badHash, signed, set("order.description", "Another gift")),
		bad(28, badHash, signed, set("order.number", "ORD-2")),
		bad(28, badHash, signedBy("with SHA-256", signature.SHA256, gatewayPassword)),
		bad(28, badHash, signedBy("with another merchant's password", signature.MD5, otherPassword)),
		bad(28, badHash, signedBy("with no password", signature.MD5, "")),
		bad(19, badHash, set("order.amount", nil), set("order.currency", "WEI"), set("methods", verbatim(`["vcard"]`)),
			signed, set("order.amount", "1.000000000000000000")),
	},
	each(28, "merchant_key", invalid, "00000000-0000-0000-0000-000000000000", "m-test", times(256, "k"), times(255, "😀")),
	each(28, "merchant_key", notString, verbatim("1"), verbatim(`["a"]`), verbatim(`{"$ne":""}`)),
	[]row{one(28, "merchant_key", "", blank), bad(28, "merchant_key"+blank, drop("merchant_key")),
		bad(28, badHash, set("merchant_key", otherKey))},
)...)
