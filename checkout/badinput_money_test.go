package checkout_test

import (
	"fmt"
	"strings"
)

const (
	twoDecimals = "order.amount: must be a decimal number with 2 decimals, like 12.34"
	positive    = "amount: This value should be greater than 0."
	negative    = "order." + positive
	notString   = ": must be a string"
	blank       = ": This value should not be blank."
	invalid     = ": This value is not valid."
	notChoice   = ": The value you selected is not a valid choice."
	notURL      = ": This value is not a valid URL."
	badHash     = "hash: Hash is not valid."
)

func short(n int) string {
	return fmt.Sprintf(": This value is too short. It should have %d characters or more.", n)
}

func long(n int) string {
	return fmt.Sprintf(": This value is too long. It should have %d characters or less.", n)
}

func of(currency, amount string) edit {
	return func(o object) {
		set("order.currency", currency)(o)
		set("order.amount", amount)(o)
	}
}

// Amounts and currencies (reliability.md, rows 1 to 18).
var badAmounts = []bad{
	one("exponent", "order.amount", "1e2", twoDecimals),
	one("huge exponent", "order.amount", "1e999999", twoDecimals),
	one("capital exponent", "order.amount", "1E2", twoDecimals),
	one("huge negative exponent", "order.amount", "1E-50000000", twoDecimals),
	one("exponent zero", "order.amount", "5e0", twoDecimals),
	one("a million nines", "order.amount", strings.Repeat("9", 1_000_000), twoDecimals),
	one("a million decimals", "order.amount", "1."+strings.Repeat("0", 1_000_000), twoDecimals),
	one("negative", "order.amount", "-1.00", negative),
	one("-1 on a purchase", "order.amount", "-1", negative),
	one("negative and large", "order.amount", "-999999999999999.99", negative),
	one("minus sign of Unicode", "order.amount", "−5.00", twoDecimals),
	one("two minus signs", "order.amount", "--5.00", twoDecimals),
	one("minus nothing", "order.amount", "-0.00", twoDecimals),
	one("minus alone", "order.amount", "-", twoDecimals),
	one("plus", "order.amount", "+5.00", twoDecimals),
	one("point at the end", "order.amount", "5.", twoDecimals),
	one("point at the start", "order.amount", ".50", twoDecimals),
	one("point alone", "order.amount", ".", twoDecimals),
	one("two points", "order.amount", "5.0.0", twoDecimals),
	one("leading zero", "order.amount", "05.00", twoDecimals),
	one("leading zeros of nothing", "order.amount", "00.00", twoDecimals),
	one("comma", "order.amount", "5,00", twoDecimals),
	one("thousands comma", "order.amount", "1,000.00", twoDecimals),
	one("thousands space", "order.amount", "1 000.00", twoDecimals),
	one("underscore", "order.amount", "1_000.00", twoDecimals),
	one("space before", "order.amount", " 5.00", twoDecimals),
	one("space behind", "order.amount", "5.00 ", twoDecimals),
	one("space alone", "order.amount", " ", twoDecimals),
	one("line feed", "order.amount", "5.00\n", twoDecimals),
	one("tab", "order.amount", "\t5.00", twoDecimals),
	one("full-width digit", "order.amount", "５.00", twoDecimals),
	one("Arabic digit", "order.amount", "٥.00", twoDecimals),
	one("Arabic decimal separator", "order.amount", "5٫00", twoDecimals),
	one("zero-width space", "order.amount", "5.00\u200b", twoDecimals),
	one("hexadecimal", "order.amount", "0x5.00", twoDecimals),
	one("binary", "order.amount", "0b1.00", twoDecimals),
	one("fraction", "order.amount", "1/2", twoDecimals),
	one("NaN", "order.amount", "NaN", twoDecimals),
	one("Infinity", "order.amount", "Infinity", twoDecimals),
	one("-Infinity", "order.amount", "-Infinity", twoDecimals),
	one("infinity sign", "order.amount", "∞", twoDecimals),
	one("currency sign", "order.amount", "$5.00", twoDecimals),
	one("currency code", "order.amount", "5.00 USD", twoDecimals),
	one("words", "order.amount", "ten", twoDecimals),
	one("SQL", "order.amount", "1.00' OR '1'='1", twoDecimals),
	one("nothing on a plain purchase", "order.amount", "0.00", positive),
	with("nothing on a plain debit", positive, set("operation", "debit"), set("order.amount", "0.00")),
	with("nothing where the provider takes no nothing", "amount: the payment provider does not accept zero amount",
		set("order.amount", "0.00"), set("auth", true)),
	with("nothing on a chain where the provider takes no nothing",
		"amount: the payment provider does not accept zero amount",
		set("order.amount", "0.00"), set("recurring_init", true)),
	one("no decimals", "order.amount", "100", twoDecimals),
	one("one decimal", "order.amount", "100.0", twoDecimals),
	one("three decimals", "order.amount", "100.000", twoDecimals),
	with("one decimal of yen", "order.amount: JPY needs 2 decimals, like 100.00", of("JPY", "100.0")),
	with("three decimals of yen", "order.amount: JPY needs 2 decimals, like 100.00", of("JPY", "100.000")),
	with("fraction of yen", "order.amount: JPY has no fractions", of("JPY", "100.50")),
	with("no yen", positive, of("JPY", "0")),
	with("no yen with decimals", positive, of("JPY", "0.00")),
	with("two decimals of dinars", "order.amount: KWD needs 3 decimals, like 12.345", of("KWD", "1.00")),
	with("four decimals of dinars", "order.amount: KWD needs 3 decimals, like 12.345", of("KWD", "1.0000")),
	with("no decimals of dinars", "order.amount: KWD needs 3 decimals, like 12.345", of("KWD", "1")),
	with("three decimals of four", "order.amount: CLF needs 4 decimals, like 12.3456", of("CLF", "1.000")),
	with("19 decimals of 18", "order.amount: WEI needs 18 decimals, like 12.345678901234567890",
		of("WEI", "1."+strings.Repeat("0", 19))),
	with("two decimals of 18", "order.amount: WEI needs 18 decimals, like 12.345678901234567890", of("WEI", "1.00")),
	with("two decimals of an asset of six", "order.amount: USDC needs 6 decimals, like 12.345678", of("USDC", "1.00")),
	one("beyond 64 bits", "order.amount", "92233720368547758.08", "order.amount: too large"),
	one("16 digits", "order.amount", "1000000000000000.00", "order.amount: too large"),
	one("50 digits", "order.amount", strings.Repeat("9", 50)+".00", "order.amount: too large"),
	one("missing amount", "order.amount", raw("null"), "order.amount"+blank),
	one("empty amount", "order.amount", "", "order.amount"+blank),
	one("a JSON number", "order.amount", raw("10.00"), "order.amount"+notString),
	one("a JSON integer", "order.amount", raw("10"), "order.amount"+notString),
	one("a JSON number beyond every float", "order.amount", raw("1e999999"), "order.amount"+notString),
	{name: "no amount", edits: []edit{drop("order.amount")}, want: []string{"order.amount" + blank}},

	one("small letters", "order.currency", "usd", "order.currency"+invalid),
	one("no currency of ISO", "order.currency", "XXX", "order.currency"+invalid),
	one("test currency of ISO", "order.currency", "XTS", "order.currency"+invalid),
	one("gold", "order.currency", "XAU", "order.currency"+invalid),
	one("withdrawn", "order.currency", "HRK", "order.currency"+invalid),
	one("two letters", "order.currency", "US", "order.currency"+invalid),
	one("crypto that is not registered", "order.currency", "USDT", "order.currency"+invalid),
	one("long s", "order.currency", "U\u017fD", "order.currency"+invalid),
	one("Kelvin sign", "order.currency", "\u212aWD", "order.currency"+invalid),
	one("Cyrillic letters", "order.currency", "UЅD", "order.currency"+invalid),
	one("numeric code", "order.currency", "840", "order.currency"+invalid),
	one("currency and space", "order.currency", "USD ", "order.currency"+invalid),
	one("name of the currency", "order.currency", "US Dollar", "order.currency"+invalid),
	one("currency of 1,000 letters", "order.currency", strings.Repeat("U", 1000), "order.currency"+invalid),
	one("empty currency", "order.currency", "", "order.currency"+blank),
	{name: "no currency", edits: []edit{drop("order.currency")}, want: []string{"order.currency" + blank}},
	with("negative euros", negative, set("order.amount", "-1.00"), set("order.currency", "EUR")),
}

// Amounts of later scheduled payments (row 26), which belong to a schedule.
var badScheduleAmounts = []bad{
	scheduled("scheduled nothing", "payment_schedule_amount", "0.00", scheduleAmount),
	scheduled("scheduled with three decimals", "payment_schedule_amount", "5.000", scheduleAmount),
	scheduled("scheduled without decimals", "payment_schedule_amount", "5", scheduleAmount),
	scheduled("scheduled negative", "payment_schedule_amount", "-5.00", scheduleAmount),
	scheduled("scheduled words", "payment_schedule_amount", "five", scheduleAmount),
	scheduled("scheduled as a number", "payment_schedule_amount", raw("5.00"), "payment_schedule_amount"+notString),
	scheduled("unreadable amount on a schedule", "order.amount", "00.00", twoDecimals), // so it is not zero
	one("scheduled without a schedule", "payment_schedule_amount", "5.00", scheduleAmount),
}

const scheduleAmount = "payment_schedule_amount: " +
	"needs schedule_id and an amount greater than 0 in the format of the currency"

// scheduled returns a row of a request that starts a chain on a schedule.
func scheduled(name, path string, value any, want string) bad {
	return with(name, want, set("recurring_init", true), set("schedule_id", "weekly"), set(path, value))
}
