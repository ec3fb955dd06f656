package badinput_test

import "slices"

const (
	nobody  = "019580e4-0000-7000-8000-000000000000"
	noOrder = "Order does not exist."
)

// followUps are the five requests about a payment.
var followUps = []string{"status", "capture", "refund", "void", "retry"}

// missing is the answer to an empty object at each of them.
func missing(at string, names ...string) row {
	r := row{at: at, edits: []edit{body("of an empty object", "{}")}}
	for _, name := range names {
		r.want = append(r.want, name+blank)
	}
	return r
}

// anywhere is refused by each of them: 28, 33, 35, 47 to 52.
var anywhere = slices.Concat([]row{
	one(28, "hash", "", blank), bad(28, "hash"+blank, drop("hash")), one(28, "hash", times(40, "a"), badHash),
	one(28, "hash", times(39, "a"), badHash),
	one(28, "hash", verbatim(`["a"]`), notString), bad(28, badHash, hashed("in capitals", upper)),
	bad(28, badHash, signed, set("payment_id", nobody)),
	one(28, "merchant_key", "nobody", invalid), one(28, "merchant_key", "", blank),
	one(28, "merchant_key", verbatim("1"), notString),
	one(0, "payment_id", verbatim("1"), notString), one(0, "payment_id", times(256, "p"), invalid),
	bad(0, "payment_id"+blank, signed, drop("payment_id")),
	fails(33, 101000, noPayment, from("payment_id", "another merchant's", (*world).foreign)),
	bad(50, "payment_id"+notUnicode, set("payment_id", verbatim(`"\ud800"`))),
	bad(50, "payment_id"+notNUL, set("payment_id", verbatim(`"\u0000"`))),
	bad(48, "payment_id: repeated field", inserted(`"payment_id":"x",`, `"payment_id":`)),
	bad(47, tooDeep, body("of 65,000 brackets", times(65_000, "["))), bad(49, oneObject, behind("x")),
	bad(51, notJSON, header("Content-Type", "text/plain")), bad(51, compressed, header("Content-Encoding", "gzip")),
	bad(52, smallBody, padded(64<<10+1)), bad(52, smallBody, padded(64<<10+1), chunked),
}, bodies(49, "", "[]", "null"), unknown(35, 101000, noPayment, "payment_id", nobody,
	"00000000-0000-0000-0000-000000000000",
	"urn:uuid:"+nobody, "{"+nobody+"}", "x…x", "../../m-test", "%00%s%n"))

// unknown are ids of nothing.
func unknown(n, code int, text, path string, values ...string) (rows []row) {
	for _, value := range values {
		rows = append(rows, fails(n, code, text, set(path, value)))
	}
	return rows
}

// sized is a lookup of an order's payments.
func sized(values ...any) (rows []row) {
	for _, value := range values {
		rows = append(rows, bad(36, "size should be within 1..100", drop("payment_id"), set("order_id", "ORD-SETTLED"),
			set("size", value)))
	}
	return rows
}

var amounts = slices.Concat(
	each(0, "amount", anyDecimal, "1e1", "10,00", "+10.00", "010.00", " 10.00", "１０.00", "NaN", "-0.00",
		"1000000000000000.00"),
	each(0, "amount", positive, "-5.00", "0.00", "0"),
	[]row{
		one(0, "amount", "10", ": must be a decimal number with 2 decimals, like 12.34"),
		one(0, "amount", "10.000", ": must be a decimal number with 2 decimals, like 12.34"),
		one(0, "amount", "", blank), one(16, "amount", verbatim("10.00"), notString),
		bad(28, badHash, signed, set("amount", "9.99")),
	})

var followUpRows = slices.Concat(
	everywhere(followUps, anywhere...),
	[]row{
		missing("status", "merchant_key", "payment_id", "hash"), missing("void", "merchant_key", "payment_id", "hash"),
		missing("retry", "merchant_key", "payment_id", "hash"),
		missing("capture", "merchant_key", "payment_id", "amount", "hash"),
		missing("refund", "merchant_key", "payment_id", "amount", "hash"),
	},
	everywhere([]string{"capture", "refund"}, amounts...),
	list("status", sized(verbatim("0"), verbatim("101"), "1e2", verbatim("-1"), "10 ", "0", "1.5", verbatim("1e1"), "ten",
		verbatim("[10]"), "010")...),
	list("status",
		fails(0, 101000, noOrder, drop("payment_id"), set("order_id", "ORD-2")),
		fails(32, 101000, noOrder, drop("payment_id"), set("order_id", "ord-settled")),
		bad(0, "order_id"+long(255), drop("payment_id"), set("order_id", times(256, "o"))),
		bad(0, "order_id"+notString, set("order_id", verbatim("1"))),
		fails(33, 101000, noOrder, drop("payment_id"), set("order_id", "ORD-FOREIGN"),
			edit{"which is another merchant's", func(w *world, _ *request) {
				w.foreign()
			}}),
	),
	list("capture",
		fails(20, 208004, "Not acceptable to request the capture for amount bigger than auth amount.",
			set("amount", "10.01")),
		fails(21, 208003, "Not acceptable to request the capture for payment not in pending status.",
			from("payment_id", "a settled one", (*world).settled)),
		fails(0, 208003, "Not acceptable to request the capture for payment not in pending status.",
			from("payment_id", "a declined one", (*world).declined)),
	),
	list("refund",
		fails(0, 208006, "Not acceptable to request the refund for amount bigger than payment amount.",
			set("amount", "10.01")),
		fails(23, 208009, "Not acceptable to request the reversal for partial amount.",
			from("payment_id", "a held one", (*world).held), set("amount", "4.00")),
		fails(0, 208008, "Not acceptable to request the reversal for amount bigger than payment amount.",
			from("payment_id", "a held one", (*world).held), set("amount", "10.01")),
		fails(24, 100000, "Refund is not allowed.", from("payment_id", "a declined one", (*world).declined)),
	),
	list("void",
		fails(25, 100000, "Void is not allowed.", from("payment_id", "a held one", (*world).held)),
		fails(25, 100000, "Void is not allowed.", from("payment_id", "a declined one", (*world).declined)),
		fails(25, 100000, "Void is not allowed.", edit{"on the next financial day", func(w *world, _ *request) {
			w.tomorrow()
		}}),
	),
	list("retry",
		fails(0, 100000, "Retry is not allowed.", from("payment_id", "a settled one", (*world).settled)),
		fails(0, 100000, "Retry is not allowed.", from("payment_id", "a declined first one", (*world).declined)),
	),
)

// Recurring payments and card payouts.
var chainRows = slices.Concat(
	everywhere([]string{"recurring", "card credit"}, slices.Concat([]row{
		one(28, "hash", "", blank), one(28, "hash", times(40, "a"), badHash), bad(28, badHash, hashed("in capitals", upper)),
		one(28, "merchant_key", "nobody", invalid),
		bad(53, "custom_data"+notObject, set("custom_data", "x")), bad(53, tooDeep, set("custom_data", verbatim(nested(16)))),
		bad(53, "custom_data: must be at most 65536 bytes", set("custom_data", object{"a": times(64<<10, "x")})),
		bad(52, bigBody, padded(1<<20+1)), bad(51, notJSON, header("Content-Type", "text/plain")),
		bad(49, oneObject, behind("{}")),
	}, bodies(49, "", "[]"))...),
	list("recurring", slices.Concat(
		each(0, "order.amount", anyDecimal, "1,00", "1e2", "+1.00"), each(0, "order.amount", decimals2, "1", "1.000"),
		each(8, "order.amount", positive, "0.00"), each(8, "order.amount", greater, "-1.00"),
		unknown(33, 100000, "Incorrect transaction", "recurring_init_trans_id", nobody, "%00%s%n"),
		unknown(0, 100000, "Incorrect transaction", "recurring_token", nobody, "../../m-test"),
		[]row{
			one(64, "order.number", "ab", short(3)), one(64, "order.number", times(256, "x"), long(255)),
			one(63, "order.description", "x", short(2)),
			one(0, "recurring_token", "", blank), one(0, "recurring_init_trans_id", "", blank),
			bad(28, badHash, signed, set("order.amount", "50.00")),
			one(16, "order.amount", verbatim("5.00"), notString),
			missing("recurring", "merchant_key", "order.number", "order.amount", "order.description", "recurring_init_trans_id",
				"recurring_token", "hash"),
			fails(33, 100000, "Incorrect transaction", from("recurring_init_trans_id", "another merchant's", (*world).foreign)),
		})...),
	list("card credit", slices.Concat(
		each(82, "card_number", invalid, "4111111111111112", "41111111111", "41111111111111111111", "0000000000000000",
			"٤١١١١١١١١١١١١١١١", "4111x11111111111",
			"411111******1111", "4111 1111 1111 1111"),
		each(0, "order_amount", greater, "0.00", "-7.00", "-1"),
		each(0, "order_amount", anyDecimal, "7,00", "1000000000000000.00"),
		[]row{
			one(82, "card_number", "1111222233334444", ": Bad Request. Brand of card does not support."),
			one(82, "card_number", verbatim(pan), notString),
			one(0, "card_number", "", "card_token"+blank),
			bad(0, "card_number: must not be sent together with card_token", set("card_token", times(64, "a"))),
			one(0, "order_amount", "7", decimals2), one(18, "order_currency", "usd", invalid),
			one(64, "order_id", "ab", short(3)),
			one(63, "order_description", "x", short(2)),
			one(73, "payee_first_name", "R2D2", ": only Latin basic letters, 1..32"),
			one(73, "payee_first_name", times(33, "A"), ": only Latin basic letters, 1..32"),
			one(65, "payee_email", "doe", invalid), one(0, "payee_ip", "localhost", invalid),
			bad(44, "card_token: must have 64 characters", drop("card_number"), set("card_token", times(63, "a"))),
			bad(44, "card_token: must have 64 characters", drop("card_number"), set("card_token", times(65, "a"))),
			fails(44, 205005, "Card token is invalid or not found.", drop("card_number"), set("card_token", times(64, "a"))),
			bad(28, badHash, signed, set("order_amount", "70.00")),
			missing("card credit", "merchant_key", "order_id", "order_amount", "order_currency", "order_description",
				"card_token", "hash"),
		})...),
)
