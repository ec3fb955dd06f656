package fieldcases_test

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// S2S CARD (s2s_card.md; SPEC2, "S2S request fields").

// sale is the minimum of a SALE.
func sale(action string, pairs ...any) func(*bench) body {
	return func(b *bench) body {
		return body{
			"action": action, "client_key": gatewaytest.MerchantKey, "order_id": b.order(), "order_amount": "10.00",
			"order_currency":    "USD",
			"order_description": "Product", "card_number": pan, "card_exp_month": "01", "card_exp_year": "2038",
			"card_cvv2":        "123",
			"payer_first_name": "John", "payer_last_name": "Doe", "payer_email": email, "payer_phone": "199999999",
			"payer_ip":     "203.0.113.7",
			"term_url_3ds": "https://shop.example/return",
		}.with(pairs...)
	}
}

var debit = sale("DEBIT", "payer_first_name", absent, "payer_last_name", absent, "payer_email", absent, "payer_phone",
	absent)

var cardDoors = []door{
	{name: "SALE", method: "POST", path: "/post", form: true, sign: card1, base: sale("SALE"),
		fields: slices.Concat(s2sOrder, sold, beginning, external)},
	{name: "SALE on v2", method: "POST", path: "/v2/post", form: true, sign: card1, base: sale("SALE"),
		fields: slices.Concat(s2sOrder, sold)},
	{name: "SALE with auth", method: "POST", path: "/post", form: true, sign: card1, base: sale("SALE", "auth", "Y"),
		fields: slices.Concat(sold, beginning,
			[]field{f("order_amount").itself().takes("0.00")})},
	{name: "AUTH", method: "POST", path: "/post", form: true, sign: card1, base: sale("AUTH"),
		fields: slices.Concat(s2sOrder[:2], sold)},
	{name: "DEBIT", method: "POST", path: "/post", form: true, sign: card1, base: debit, fields: slices.Concat(
		s2sOrder, cardFields("card_exp_month", "card_exp_year", "card_number", "card_cvv2"), person("payer", 32, 10),
		asking, yesNos, beginning,
	)},
	{
		name: "CREDIT2CARD", method: "POST", path: "/post", form: true, sign: card5,
		base: sale("CREDIT2CARD", "payer_first_name", absent, "payer_last_name", absent, "payer_email", absent,
			"payer_phone", absent,
			"payer_ip", absent, "term_url_3ds", absent, "card_cvv2", absent, "card_exp_month", absent, "card_exp_year", absent),
		fields: slices.Concat(s2sOrder, person("payer", 32, 10), person("payee", 32, 10),
			[]field{cardNumber(f("card_number")).required(), ip(f("payer_ip")), link(255)(f("callback_url"))}),
	},
	{
		name: "CARD2CARD", method: "POST", path: "/post", form: true, sign: card1,
		base: func(b *bench) body {
			return debit(b).with("action", "CARD2CARD", "card_number", absent, "card_exp_month", absent, "card_exp_year",
				absent, "card_cvv2", absent,
				"payer_card_number", pan, "payer_card_exp_month", "01", "payer_card_exp_year", "2038", "payer_card_cvv2", "123",
				"payee_card_number", pan)
		},
		fields: slices.Concat(s2sOrder, cardFields("payer_card_exp_month", "payer_card_exp_year", "payer_card_number",
			"payer_card_cvv2"),
			person("payer", 32, 10), person("payee", 32, 10), asking, []field{cardNumber(f("payee_card_number")).required()}),
	},
	{name: "RECURRING_SALE", method: "POST", path: "/post", form: true, sign: ofPayer(""), base: next("RECURRING_SALE",
		"SALE"), fields: repeated},
	{name: "RECURRING_DEBIT", method: "POST", path: "/post", form: true, sign: ofPayer(""), base: next("RECURRING_DEBIT",
		"DEBIT"), fields: repeated},
}

var s2sKeyed = []field{
	f("client_key").required().itself().refuses("").structured(),
	f("unknown").takes("x"),
}

var s2sOrder = slices.Concat(s2sKeyed, []field{
	f("channel_id").takes(channel).refuses(channel + "7").structured(),
	unique(text(1, 255), "order_id").required(),
	moneyIn("order_currency")(f("order_amount")).refusing(zero, "0.00").required(),
	currency(f("order_currency")).required(),
	text(1, 1024)(f("order_description")).required(),
	f("custom_data").takes(map[string]any{"a": "b"}).refuses("text"),
	f("parameters").takes(map[string]any{"descriptor": "Shop"}).refuses("text"),
})

var sold = slices.Concat(
	cardFields("card_exp_month", "card_exp_year", "card_number", "card_cvv2"),
	[]field{
		text(1, 32)(f("payer_first_name")).required(), text(1, 32)(f("payer_last_name")).required(),
		mail(256)(f("payer_email")).required(), text(1, 32)(f("payer_phone")).required(),
	},
	slices.DeleteFunc(person("payer", 40, 10), func(x field) bool {
		return slices.Contains([]string{"payer_first_name", "payer_last_name", "payer_email", "payer_phone"}, x.name)
	}),
	asking, yesNos,
	[]field{oneOf("phone_moto", "email_moto", "default_moto", "ecommerce")(f("moto_type"))},
)

// yesNos request a token and begin a chain.
var yesNos = []field{
	yesNo(f("req_token")), yesNo(f("recurring_init")),
	f("auth").takes("Y", "N", "y", "maybe"),  // only Y means yes (decision b)
	f("card_token").itself().takes(long(64)), // the card data wins (decision ao)
}

// asking is where the payer goes.
var asking = []field{
	link(1024)(f("term_url_3ds")).required(),
	f("term_url_target").takes("_blank", "_self", "_parent", "_top", "frame1").structured(),
	link(255)(f("callback_url")),
	ip(f("payer_ip")).required(),
	f("payer_language").takes("en", "xx"),
}

// person are the fields of payer or payee, all optional.
func person(who string, city, zip int) []field {
	at := func(name string) field { return f(who + "_" + name) }
	return []field{
		text(1, 32)(at("first_name")), text(1, 32)(at("last_name")), text(1, 32)(at("middle_name")), date(at("birth_date")),
		text(1, 255)(at("address")), text(1, 255)(at("address2")), country(at("country")),
		at("state").takes("CA").refuses("XX").given(who+"_country", "US"), at("state").takes(long(40)).given(who+"_country",
			"DE"),
		text(1, city)(at("city")), text(1, zip)(at("zip")), text(1, 32)(at("phone")), phoneCode(at("phone_country_code")),
		mail(256)(at("email")), text(1, 9)(at("house_number")), text(1, 32)(at("district")),
	}
}

func cardNumber(x field) field {
	return x.takes("4111111111111111", "5555555555554444", "378282246310005").
		refuses("4111111111111112", "4111", strings.Repeat("4", 20), "411111111111111a", "text").structured()
}

// cardFields are the four of a card, in the order month, year, number, code.
func cardFields(month, year, number, code string) []field {
	return []field{
		cardNumber(f(number)).required(),
		f(month).takes("01", "12").refuses("1", "00", "13", "001", "ab", "-1").structured().required(),
		f(month).itself().takes("03").given(year, "2027"), f(month).itself().refuses("02").given(year, "2027"), // it is March
		f(year).takes("2027", "2038").beside(2, month, "12").refuses("38", "20380", "abcd", "0000").structured().required(),
		f(code).takes("000", "1234").refuses("12", "12345", "abc", "12 3").structured().required().as(strings.Replace(code,
			"payer_card_cvv2", "payer_card_cvv", 1)),
	}
}

// beginning is a chain with a schedule.
var beginning = []field{
	f("schedule_id").takes(monthly).structured().given("recurring_init", "Y"),
	f("schedule_id").itself().refuses(monthly),
	f("schedule_start_date").itself().refuses("2027-04-01").given("recurring_init", "Y"),
	f("payment_schedule_amount").itself().refuses("1.00").given("recurring_init", "Y"),
	date(f("schedule_start_date")).dated("2027-03-12", "2030-12-31").given("recurring_init", "Y", "schedule_id", monthly),
	afterwards(moneyIn("order_currency", "order_amount")(f("payment_schedule_amount"))).given("recurring_init", "Y",
		"schedule_id", monthly),
	f("order_amount").itself().takes("0.00").given("recurring_init", "Y"),
	yesNo(f("payer_present")),
}

// external is the merchant's own 3-D Secure (SPEC2, mpi_data).
var external = []field{
	f("mpi_data[eci]").takes("05", "ab").refuses("5", "055").structured().required().given(mpi...),
	f("mpi_data[authentication_value]").takes(long(28), long(64)).refuses(long(27), long(65)).structured().required().
		given(mpi...),
	uuid(f("mpi_data[ds_trans_id]")).required().given(mpi...),
	f("mpi_data[3ds_version]").takes("2.2.0", "2.10.11").refuses("2.2", "2", "a.b.c", "2.2.0.1", "2.2.").structured().
		required().given(mpi...),
	f("mpi_data[trans_status]").takes("Y", "N", "U", "R").refuses("y", "YY", "1").structured().given(mpi...),
	f("mpi_data[xid]").takes(long(64)).refuses(long(65)).structured().given(mpi...),
	f("mpi_data").refuses("text"),
}

var mpi = []any{
	"mpi_data[eci]", "05", "mpi_data[authentication_value]", "AAABBBCCCDDDEEEFFFGGGHHHIII=",
	"mpi_data[ds_trans_id]", "9d0f5cc4-f07b-11ec-abf4-0242ac120006", "mpi_data[3ds_version]", "2.2.0",
}

// next is a later payment of a chain that the action began.
func next(action, first string) func(*bench) body {
	return func(b *bench) body {
		base := sale(first)
		id := b.once("first", func() string {
			return b.s2s(card1, "trans_id", base(b).with("order_id", "ORD-FIRST", "recurring_init", "Y"))
		})
		return body{
			"action": action, "client_key": gatewaytest.MerchantKey, "order_id": b.order(), "order_amount": "5.00",
			"order_description": "Second month", "recurring_first_trans_id": id, "recurring_token": b.Payment(b.t,
				"ORD-FIRST").RecurringToken,
		}
	}
}

var repeated = slices.Concat(s2sKeyed, []field{
	unique(text(1, 255), "order_id").required(),
	money(f("order_amount")).refusing(zero, "0.00").required(),
	text(1, 1024)(f("order_description")).required(),
	f("recurring_first_trans_id").required().refuses(long(256)).structured(), f("recurring_token").required().
		refuses(long(256)).structured(),
	f("schedule_id").takes(monthly).structured(),
	f("auth").takes("Y", "N", "maybe"),
	f("custom_data").takes(map[string]any{"a": "b"}).refuses("text"),
	link(255)(f("callback_url")),
})
