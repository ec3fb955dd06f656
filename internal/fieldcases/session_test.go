package fieldcases_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// Checkout sessions and the token request of Hosted Payment Fields (SPEC1, "Checkout session request" and
// "Operation-specific fields"; checkout.md, "Session request").

// session is the minimum of a session.
func session(operation string, pairs ...any) func(*bench) body {
	return func(b *bench) body {
		return body{
			"merchant_key": gatewaytest.MerchantKey, "operation": operation, "success_url": "https://shop.example/success",
			"order.number": b.order(), "order.amount": "10.00", "order.currency": "USD", "order.description": "Important gift",
		}.with(pairs...)
	}
}

var sessionDoors = []door{
	{
		name: "purchase", method: "POST", path: "/api/v1/session", sign: bySession, base: session("purchase"),
		fields: slices.Concat(common, payer("billing_address"), saving, chained("order"), purchase),
	},
	{
		name: "debit", method: "POST", path: "/api/v1/session", sign: bySession, base: session("debit"),
		fields: slices.Concat(common, payer("billing_address"), saving, chained("order"), onlyPurchase),
	},
	{
		name: "credit", method: "POST", path: "/api/v1/session", sign: bySession, base: session("credit", "payee.name",
			"Jane Doe"),
		fields: slices.Concat(common, payer("billing_address"), payee, payer("payee_billing_address"), onlyPurchase,
			onlyIncoming),
	},
	{
		name: "transfer", method: "POST", path: "/api/v1/session", sign: bySession, base: session("transfer", "payee.name",
			"Jane Doe"),
		fields: slices.Concat(common, payer("billing_address"), payee, payer("payee_billing_address"), onlyPurchase,
			onlyIncoming, []field{f("order.amount").itself().takes("-1")}),
	},
	{
		name: "token of a purchase", method: "POST", path: "/api/v1/session/token", sign: bySession,
		base:   session("purchase", "success_url", absent, "return_url", "https://shop.example/return"),
		fields: slices.Concat(hosted, payer("billing_address"), saving, chained("order")),
	},
	{
		name: "token of a debit", method: "POST", path: "/api/v1/session/token", sign: bySession,
		base:   session("debit", "success_url", absent, "return_url", "https://shop.example/return"),
		fields: slices.Concat(hosted, payer("billing_address"), saving, chained("order")),
	},
}

var ordered = slices.Concat(
	[]field{
		f("merchant_key").required().refuses("no key", strings.ToUpper(gatewaytest.MerchantKey)).structured(),
		f("hash").required().refusing("Hash is not valid.", "x", strings.Repeat("0", 40)).structured(),
	},
	[]field{
		unique(text(3, 255), "order.number").required(),
		nothing(moneyIn("order.currency")(f("order.amount"))).required(),
		currency(f("order.currency")).required(),
		text(2, 1024)(f("order.description")).required(),
		f("order").itself().refuses("text", 1, []any{"x"}),
	},
	[]field{
		number(1, 720)(f("session_expiry")).takes(1, 720, "15").refuses(0, 721, 1.5),
		f("channel_id").takes(channel).refuses(channel + "7").structured(),
		latin(2, 200)(f("customer.name")), mail(255)(f("customer.email")), date(f("customer.birth_date")),
		f("customer").takes([]any{}, map[string]any{}).refuses("text", 1, []any{"x"}),
		f("methods").takes([]any{"card"}, []any{}, []any{"card", "vcard"}).refuses("card", []any{1},
			map[string]any{"a": "b"}, []any{"no method"}),
		f("parameters").takes([]any{}, map[string]any{}, map[string]any{"card": map[string]any{"descriptor": "Shop"}}).
			refuses("text", 1, []any{"x"}, map[string]any{"card": "text"}, map[string]any{"card": []any{"x"}}),
		f("custom_data").takes([]any{}, map[string]any{"a": map[string]any{"b": 1}}).refuses("text", 1, true),
		uuid(f("form_id")),
		f("notification_url").takes("https://shop.example/callback", "no url"), // ignored in a session (callbacks.md)
		f("unknown").takes("x", map[string]any{"a": 1}),                        // decision j
	},
)

var common = slices.Concat(
	ordered, sessionLinks,
	[]field{
		f("operation").required().refuses("refund", "PURCHASE", "purchase ", "sale").structured(),
		link(1024)(f("success_url")).required(),
		oneOf("_self", "_parent", "_top")(f("url_target")).refuses("_blank"),
	},
)

var sessionLinks = named(link(1024), "cancel_url", "expiry_url", "error_url")

// hosted are those of a token, which has no page from which the payer returns.
var hosted = slices.Concat(
	ordered, sessionLinks,
	[]field{
		f("operation").required().refusing(choice, "credit", "transfer", "refund", "PURCHASE").structured(),
		link(1024)(f("return_url")).required(), link(1024)(f("success_url")),
		ip(f("customer.ip")),
	},
)

// payer are the fields of an address. An unknown language becomes English.
func payer(under string) []field {
	at := func(name string) field { return f(under + "." + name) }
	return []field{
		country(at("country")),
		at("state").takes("CA", "PR").refuses("XX", "C", "California").given(under+".country", "US"),
		at("state").takes("NSW", "QLD").refuses("XXX", "New South Wales").given(under+".country", "AU"),
		at("state").takes("13").refuses("99", "Tokyo").given(under+".country", "JP"),
		at("state").takes("Bavaria", "B", long(40)).given(under+".country", "DE"), // hidden and ignored
		text(2, 40)(at("city")), text(2, 255)(at("address")), text(1, 9)(at("house_number")), text(2, 10)(at("zip")),
		phone(at("phone")), phoneCode(at("phone_country_code")), text(2, 32)(at("district")),
		at("language").takes("en", "EN", "zh-TW", "xx", "no language at all"),
		f(under).takes([]any{}, map[string]any{}).refuses("text", 1, []any{"x"}),
	}
}

var payee = []field{
	latin(2, 32)(f("payee.name")).required(), mail(255)(f("payee.email")),
	f("payee").itself().refuses("text", 1, []any{"x"}),
}

// saving are saved cards. An unknown token has its own answer.
var saving = []field{
	flag(f("req_token")),
	f("card_token").refuses([]any{long(63)}, []any{long(65)}, []any{1}, map[string]any{"a": "b"}).takes([]any{}),
}

// chained are those that begin a chain of payments.
func chained(order string) []field {
	return []field{
		flag(f("recurring_init")),
		f("schedule_id").takes(monthly).refusing(bare+"Schedule not found", "no schedule").structured().
			given("recurring_init", true),
		f("schedule_id").itself().refuses(monthly),                                            // without a chain
		f("schedule_start_date").itself().refuses("2027-04-01").given("recurring_init", true), // without a schedule
		f("payment_schedule_amount").itself().refuses("1.00").given("recurring_init", true),
		date(f("schedule_start_date")).dated("2027-03-11", "2030-12-31").given("recurring_init", true, "schedule_id",
			monthly),
		afterwards(moneyIn(order+".currency", order+".amount")(f("payment_schedule_amount"))).given("recurring_init", true,
			"schedule_id", monthly),
	}
}

// onlyPurchase are fields of a purchase: other operations accept them if they request nothing.
var onlyPurchase = []field{
	f("auth").takes(false, "N", "false").refuses(true, "Y"), f("vat_calc").takes(false).refuses(true), f("moto_type").
		refuses("phone_moto"),
}

// onlyIncoming are fields of purchase and debit.
var onlyIncoming = []field{
	f("req_token").takes(false).refuses(true), f("recurring_init").takes(false).refuses(true),
}

var purchase = []field{
	f("auth").takes(true, false, "true", "false", "Y", "N").refuses("maybe", "1", 1),
	f("order.amount").itself().takes("0.00").given("auth", true),
	f("order.amount").itself().takes("0.00").given("recurring_init", true),
	flag(f("vat_calc")),
	oneOf("phone_moto", "email_moto", "default_moto", "ecommerce")(f("moto_type")),
	text(1, 50)(f("crypto.network")),
	f("crypto").takes([]any{}, map[string]any{}).refuses("text", 1, []any{"x"}),
}

// monthly is a schedule that every bench has.
const monthly = "(a schedule)"

// unique is a field that also refuses a character that changes the text direction.
func unique(rule func(field) field, name string) field {
	return rule(f(name)).refuses("a\u202eb")
}

// dated replaces the accepted days by later ones.
func (x field) dated(days ...any) field {
	x.tries = slices.DeleteFunc(slices.Clone(x.tries), func(c try) bool { return c.ok })
	return x.takes(days...)
}

// schedule is the id of an existing schedule.
func (b *bench) schedule() string {
	return b.once("schedule", func() string {
		return b.s2s(card3, "schedule_id", body{
			"action": "CREATE_SCHEDULE", "client_key": gatewaytest.MerchantKey, "name": "Monthly", "interval_length": "1",
			"interval_unit": "month", "payments_count": "3",
		})
	})
}

// token is that of a session of Hosted Payment Fields whose fields have collected a card.
func (b *bench) token(operation string) string {
	return b.once(subject, func() string {
		b.header.Del("Token")
		request := session(operation, "success_url", absent, "return_url", "https://shop.example/return")(b)
		status, text := b.post("POST", "/api/v1/session/token", jsonType, request.with("hash", bySession(request)).json())
		require.Equal(b.t, 200, status, text)
		var answer struct{ Token string }
		require.NoError(b.t, json.Unmarshal([]byte(text), &answer))
		require.NoError(b.t, b.HostedFields().Collect(b.t.Context(), answer.Token, gatewaytest.Settles))
		return answer.Token
	})
}
