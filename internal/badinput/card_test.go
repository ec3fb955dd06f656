package badinput_test

import (
	"slices"

	"github.com/tollgatepay/gateway/callback/signature"
)

const (
	notNumber = ": Invalid card number"
	notCode   = ": Invalid security code"
	hashS2S   = "Hash is not valid"
	notDate   = ": must be a date, yyyy-mm-dd"
)

// news is refused by every action that makes a payment.
var news = slices.Concat([]row{
	one(28, "hash", "", blank), fails(28, 100000, hashS2S, set("hash", times(32, "a"))),
	fails(28, 100000, hashS2S, set("hash", times(31, "a"))),
	fails(28, 100000, hashS2S, hashed("in capitals", upper)),
	fails(28, 100000, hashS2S, set("client_key", "00000000-0000-0000-0000-000000000000")),
	fails(28, 100000, hashS2S, signedBy("with SHA-256", signature.SHA256, gatewayPassword)),
	fails(28, 100000, hashS2S, set("client_key", otherKey)),
	one(28, "client_key", "", blank), one(28, "client_key", times(256, "k"), invalid),
	one(64, "order_id", times(256, "o"), long(255)), one(64, "order_id", "", blank),
	one(63, "order_description", times(1025, "x"), long(1024)), one(53, "custom_data", "x", notObject),
	one(53, "custom_data[a]", times(70_000, "x"), "custom_data: must be at most 65536 bytes"),
	one(0, "channel_id", times(17, "c"), long(16)),
	one(74, "callback_url", "javascript:alert(1)", notURL),
}, each(1, "order_amount", decimals2, "1e3", "1,00", "5.", "+5.00", "0x5.00", "NaN", "５.00", " 5.00", "1e999999"),
	each(15, "order_amount", ": too large", "9999999999999999.00"), each(18, "order_currency", invalid, "usd", "XXZ"))

var cardRows = slices.Concat(
	everywhere([]string{"SALE", "DEBIT", "CARD2CARD", "CREDIT2CARD"}, news...),
	list("SALE", slices.Concat(
		each(5, "order_amount", greater, "-1.00", "0.00"), each(17, "order_amount", greater, "-1"),
		each(82, "card_number", notNumber, "4111111111111112", "411111111111", "41111111111111111111", "0000000000000000",
			"4111x11111111111", "٤١١١١١١١١١١١١١١١", "4111 1111 1111 1111"),
		each(83, "card_exp_month", invalid, "13", "00", "1"), each(83, "card_exp_year", invalid, "38", "1999"),
		each(83, "card_cvv2", notCode, "12", "12345", "12a"),
		[]row{
			one(0, "order_amount", "", blank, greater), one(0, "order_currency", "", blank),
			one(0, "order_description", "", blank),
			{n: 18, edits: []edit{set("order_currency", "USDT")}, want: []string{"order_amount: USDT needs 6 decimals, like 12.345678", "order_currency" + invalid}},
			bad(12, "order_amount: JPY has no fractions", set("order_currency", "JPY"), set("order_amount", "100.50")),
			bad(13, "order_amount: KWD needs 3 decimals, like 12.345", set("order_currency", "KWD"),
				set("order_amount", "1.00")),
			one(0, "card_number", "", blank), one(0, "card_exp_month", "", blank), one(0, "card_exp_year", "", blank),
			one(0, "card_cvv2", "", blank),
			bad(83, "card_exp_month: The expiration date of card is expired and not valid.", set("card_exp_month", "02"),
				set("card_exp_year", "2027")),
			one(0, "req_token", "yes", notChoice), one(44, "card_token", times(65, "a"), long(64)),
			fails(44, 205005, "Card token is invalid or not found.", drop("card_number"), drop("card_exp_month"),
				drop("card_exp_year"), drop("card_cvv2"), set("card_token", times(64, "a"))),
			one(0, "payer_first_name", "", blank), one(0, "payer_first_name", times(33, "a"), long(32)),
			one(0, "payer_last_name", "", blank),
			one(66, "payer_birth_date", "1990-02-30", notDate), one(66, "payer_birth_date", "01.02.1990", notDate),
			one(0, "payer_address", times(256, "a"), long(255)), one(0, "payer_city", times(41, "a"), long(40)),
			one(0, "payer_zip", times(11, "1"), long(10)),
			one(68, "payer_country", "USA", invalid), one(68, "payer_country", "us", invalid),
			one(68, "payer_state", "ZZ", stateText), one(68, "payer_state", "California", stateText),
			one(65, "payer_email", "", blank), one(65, "payer_email", "doe", invalid),
			one(65, "payer_email", "döe@example.com", invalid), one(65, "payer_email", "a@b.c\r\nBcc: x@y", invalid),
			one(69, "payer_phone", times(33, "1"), long(32)), one(69, "payer_phone_country_code", "+1-809", codeText),
			one(69, "payer_phone_country_code", "12345678901", long(10)),
			one(0, "payer_ip", "", blank), one(0, "payer_ip", "1.2.3", invalid), one(0, "payer_ip", "fe80::1%eth0", invalid),
			one(74, "term_url_3ds", "", blank), one(74, "term_url_3ds", "ftp://client.site.com/", notURL),
			one(76, "term_url_3ds", "https://user@client.site.com/", notURL),
			one(77, "term_url_3ds", "https://client.site.com:0/", notURL),
			one(78, "term_url_3ds", "https://client.site.com/"+times(1010, "x"), notURL),
			one(75, "term_url_3ds", "https://client.site.com/\r\nX: y", notURL),
			one(72, "term_url_target", "_new", notChoice), one(72, "moto_type", "phone", notChoice),
			one(60, "recurring_init", "true", notChoice),
			one(43, "schedule_id", "x", ": needs recurring_init"),
			one(67, "schedule_start_date", "2038-01-01", ": needs schedule_id"),
			one(26, "payment_schedule_amount", "1.00", ": needs schedule_id"), one(0, "digital_wallet", "paypal", notChoice),
			one(53, "parameters", "x", notObject),
			one(0, "channel_id[x]", "1", "channel_id"+oneValue), one(61, "mpi_data", "x", notObject),
			fails(45, 204025, "Enabled MIDs for MOTO payments not found.", set("moto_type", "phone_moto"), drop("card_cvv2")),
			bad(9, "order_"+zeroAmount, set("auth", "Y"), set("order_amount", "0.00")),
			{edits: []edit{body("of nothing but the action", "action=SALE")}, want: []string{
				"client_key" + blank, "order_id" + blank, "order_amount" + blank, "order_amount" + greater,
				"order_currency" + blank,
				"order_description" + blank, "card_number" + blank, "card_exp_month" + blank, "card_exp_year" + blank,
				"card_cvv2" + blank,
				"payer_first_name" + blank, "payer_last_name" + blank, "payer_email" + blank, "payer_phone" + blank,
				"payer_ip" + blank,
				"term_url_3ds" + blank, "hash" + blank}},
		})...),
	list("SALE with mpi_data",
		one(61, "mpi_data[eci]", "5", ": must have exactly 2 characters"), one(61, "mpi_data[eci]", "", blank),
		one(61, "mpi_data[3ds_version]", "2", ": must have the format X.Y.Z"),
		one(61, "mpi_data[trans_status]", "y", ": must be one upper-case letter"),
		one(61, "mpi_data[ds_trans_id]", "9d0f5cc4", ": must be a UUID"),
		one(61, "mpi_data[authentication_value]", times(27, "a"), short(28)),
		one(61, "mpi_data[authentication_value]", times(65, "a"), long(64)),
		one(61, "mpi_data[xid]", times(65, "a"), long(64)), bad(61, "mpi_data[xid]"+oneValue, set("mpi_data[xid][a]", "b")),
	),
	list("SALE", one(84, "order_description", pan, noCard),
		one(84, "order_description", "card 4111 1111 1111 1111", noCard),
		one(84, "custom_data[note]", pan, "custom_data"+noCard)),
	list("SALE", one(84, "payer_first_name", pan, noCard), one(84, "payer_last_name", pan, noCard),
		one(84, "payer_middle_name", pan, noCard)),
	list("SALE on v2", one(0, "order_id", "", blank), fails(28, 100000, hashS2S, set("hash", "x")),
		one(82, "card_number", "4111111111111112", notNumber)),
	list("AUTH", fails(28, 100000, hashS2S, set("hash", "x")), bad(9, "order_"+zeroAmount, set("order_amount", "0.00")),
		one(5, "order_amount", "-1.00", greater),
		bad(60, "auth"+oneValue, drop("auth"), set("auth[]", "Y"))),
	list("DEBIT", one(8, "order_amount", "0.00", greater), one(82, "card_number", "", blank),
		one(0, "card_cvv2", "", blank), one(0, "payer_ip", "", blank),
		one(74, "term_url_3ds", "", blank), one(0, "payer_city", times(33, "a"), long(32)),
		one(65, "payer_email", "doe", invalid)),
	list("CARD2CARD", one(82, "payer_card_number", "", blank),
		one(82, "payer_card_number", "4111111111111112", notNumber), one(83, "payer_card_exp_month", "13", invalid),
		one(83, "payer_card_exp_year", "38", invalid), one(83, "payer_card_cvv2", "1", "payer_card_cvv"+notCode),
		one(83, "payer_card_cvv2", "", "payer_card_cvv"+blank),
		one(82, "payee_card_number", "", blank), one(82, "payee_card_number", "41", notNumber),
		one(73, "payee_first_name", times(33, "a"), long(32)),
		one(68, "payee_country", "XX", invalid), one(17, "order_amount", "-1", greater), one(0, "payer_ip", "", blank)),
	list("CREDIT2CARD", one(82, "card_number", "", blank), one(83, "card_exp_month", "14", invalid),
		one(0, "payee_zip", times(11, "1"), long(10)),
		one(0, "payer_ip", "x", invalid), one(8, "order_amount", "0.00", greater), one(17, "order_amount", "-1", greater),
		bad(44, "card_token"+long(64), drop("card_number"), set("card_token", times(65, "a")))),
)

// aboutPayments is refused by every action on a payment: 28, 33 to 35.
func aboutPayments(n, code int, text string) []row {
	return slices.Concat([]row{
		one(28, "hash", "", blank), fails(28, 100000, hashS2S, set("hash", times(32, "a"))),
		fails(28, 100000, hashS2S, hashed("in capitals", upper)),
		one(28, "client_key", "", blank), one(0, "trans_id", "", blank), one(0, "trans_id", times(256, "t"), invalid),
		one(57, "trans_id[x]", "1", "trans_id: must be one value or an object, not both"),
		bad(52, smallBody, edit{"body of 65537 bytes", padForm}),
		fails(n, code, text, from("trans_id", "another merchant's", (*world).foreign)),
	}, unknown(35, code, text, "trans_id", nobody, "urn:uuid:"+nobody, "x…x", "%00%s%n"))
}

// padForm makes a form a byte larger than allowed for a follow-up.
func padForm(_ *world, r *request) {
	r.sign()
	text := r.text()
	text += "&x=" + times(64<<10+1-len(text)-3, "x")
	r.raw = &text
}

var cardFollowUpRows = slices.Concat(
	everywhere([]string{"CAPTURE", "GET_TRANS_STATUS", "GET_TRANS_DETAILS", "RETRY"},
		aboutPayments(33, 101000, noTrans)...),
	everywhere([]string{"CREDITVOID", "VOID", "STOP_SCHEDULE"}, aboutPayments(34, 100000, "Payment not found.")...),
	list("CAPTURE", slices.Concat(each(0, "amount", anyDecimal, "x", "1e1", "1,00"),
		each(0, "amount", greater, "0.00", "-1.00"), []row{
			fails(20, 208004, "Not acceptable to request the capture for amount bigger than auth amount.",
				set("amount", "100.01")),
			fails(21, 208003, "Not acceptable to request the capture for payment not in pending status.",
				from("trans_id", "a sale", sold)),
			one(0, "amount", "5.000", decimals2),
		})...),
	list("CREDITVOID", slices.Concat(each(0, "amount", anyDecimal, "x", "NaN"), each(0, "amount", greater, "0.00"), []row{
		fails(0, 208006, "Not acceptable to request the refund for amount bigger than payment amount.",
			set("amount", "10.01")),
		fails(23, 208009, "Not acceptable to request the reversal for partial amount.",
			from("trans_id", "a held one", reserved), set("amount", "4.00")),
		fails(23, 208009, "Not acceptable to request the reversal for partial amount.", from("trans_id", "a debit", debited),
			set("amount", "4.00")),
		fails(24, 100000, "Refund is not allowed.", from("trans_id", "a declined one", sunk)),
	})...),
	list("VOID",
		fails(25, 100000, "Void is not allowed.", from("trans_id", "a held one", reserved)),
		fails(24, 100000, "Void is not allowed.", from("trans_id", "a declined one", sunk)),
		fails(25, 100000, "Void is not allowed.", edit{"on the next financial day", func(w *world, _ *request) {
			w.tomorrow()
		}})),
	list("RETRY", fails(0, 100000, "Retry is not allowed.")),
	list("STOP_SCHEDULE", fails(0, 100000, "Stop is not allowed.")),
	list("GET_TRANS_STATUS_BY_ORDER", slices.Concat([]row{
		one(28, "hash", "", blank), fails(28, 100000, hashS2S, set("hash", times(32, "a"))), one(0, "order_id", "", blank),
		one(64, "order_id", times(256, "o"), long(255)),
	}, unknown(33, 101000, noOrder, "order_id", "O-NONE", "o-sold", "../../m-test"))...),
	everywhere([]string{"RECURRING_SALE", "RECURRING_DEBIT"}, slices.Concat(
		each(0, "order_amount", anyDecimal, "x", "1e2", "1,00"), each(0, "order_amount", greater, "0.00", "-1.00"),
		unknown(33, 100000, "Incorrect transaction", "recurring_first_trans_id", nobody),
		unknown(33, 100000, "Incorrect transaction", "recurring_token", nobody),
		[]row{
			one(0, "order_id", "", blank), one(0, "order_amount", "", blank, greater), one(0, "recurring_token", "", blank),
			one(0, "recurring_first_trans_id", "", blank),
			one(74, "callback_url", "x", notURL), one(53, "custom_data", "x", notObject),
			fails(28, 100000, hashS2S, set("hash", times(32, "a"))),
			fails(33, 100000, "Incorrect transaction", from("recurring_first_trans_id", "another merchant's", (*world).foreign)),
		})...),
)

const deprecated = "Parameter is deprecated."

var scheduleRows = slices.Concat(
	everywhere([]string{"CREATE_SCHEDULE", "UPDATE_SCHEDULE"}, slices.Concat(
		each(0, "interval_length", ": must be a whole number within 1..1000", "0", "1.0", "01", "-1", "1e2"),
		each(0, "interval_unit", notChoice, "week", "MONTH"),
		each(0, "payments_count", ": must be a whole number within 1..10000", "0", "01", "x"),
		[]row{
			one(43, "delays", "5", deprecated), one(0, "name", times(101, "n"), long(100)),
			one(0, "delayed_first_payment", "later", notChoice),
			one(28, "hash", "", blank), fails(28, 100000, hashS2S, set("hash", times(32, "a"))),
		})...),
	list("CREATE_SCHEDULE", one(0, "name", "", blank), one(0, "interval_length", "", blank),
		one(0, "payments_count", "", blank), one(0, "day_of_month", "32", ": must be a whole number within 1..31"),
		bad(0, "day_of_month: needs interval_unit month", set("interval_unit", "day"), set("day_of_month", "5")),
		one(0, "delayed_first_payment", "delay_by_interval", "first_payment_interval_length"+blank,
			"first_payment_interval_unit"+blank),
		one(0, "delayed_first_payment", "day_of_week", "first_payment_day_of_week"+blank),
		one(0, "first_payment_day_of_week", "8", ": must be a whole number within 1..7")),
	everywhere([]string{"UPDATE_SCHEDULE", "PAUSE_SCHEDULE", "RUN_SCHEDULE", "DELETE_SCHEDULE", "SCHEDULE_INFO",
		"DESCHEDULE"}, slices.Concat(
		[]row{one(0, "schedule_id", "", blank), one(0, "schedule_id", times(256, "s"), invalid)},
		unknown(33, 100000, noSchedule, "schedule_id", nobody, "x…x"))...),
	list("PAUSE_SCHEDULE", fails(28, 100000, hashS2S, set("hash", times(32, "a"))),
		bad(52, smallBody, edit{"body of 65537 bytes", padForm})),
	list("DESCHEDULE", one(0, "recurring_token", "", blank), fails(28, 100000, hashS2S, set("hash", times(32, "a")))),
	list("SCHEDULE_INFO", fails(28, 100000, hashS2S, signed, set("schedule_id", nobody),
		from("schedule_id", "the schedule", schedule), set("hash", times(32, "b")))),
)

func schedule(w *world) string { return w.transaction("CREATE_SCHEDULE", "SUCCESS") }
