package fieldcases_test

import (
	"slices"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// S2S APM (s2s_apm.md; SPEC2).

// apm is the minimum of a SALE.
func apm(pairs ...any) func(*bench) body {
	return func(b *bench) body {
		return body{
			"action": "SALE", "client_key": gatewaytest.MerchantKey, "brand": "vcard", "order_id": b.order(),
			"order_amount":   "10.00",
			"order_currency": "USD", "order_description": "Product", "identifier": "success@gmail.com",
			"payer_ip":   "203.0.113.7",
			"return_url": "https://shop.example/return",
		}.with(pairs...)
	}
}

func virtual(action string) func(*bench) body {
	return apm("action", action, "return_url", absent, "payer_return_url", "https://shop.example/return")
}

var apmDoors = []door{
	{
		name: "APM SALE", method: "POST", path: "/post-va", form: true, sign: apmSale, base: apm(),
		fields: slices.Concat(s2sOrder, apmPayer(40), []field{
			brand, text(1, 255)(f("identifier")).required(), link(1024)(f("return_url")).required(),
			f("return_url_target").takes("_top", "frame1").structured(), text(1, 50)(f("crypto_network")),
			ip(f("payer_ip")).required(), f("auth").takes("N", "maybe"), link(255)(f("callback_url")),
		}),
	},
	{
		name: "APM SALE on post", method: "POST", path: "/post", form: true, sign: apmSale, base: apm(), fields: s2sOrder,
	},
	{
		name: "APM SALE of crypto", method: "POST", path: "/post-va", form: true, sign: apmSale,
		base: apm("brand", "crypto-btg", "order_currency", "USDT", "order_amount", absent, "identifier", absent),
		fields: []field{
			f("order_amount").takes("10.000000", "0.000001").refuses("10.00", "10", "1.0000000").refusing(zero, "0.000000"),
			f("identifier").takes("x"), f("order_currency").itself().takes("BTC").refuses("", "ZZZZ", "US"),
			text(1, 50)(f("crypto_network")),
		},
	},
	{
		name: "CREDIT2VIRTUAL", method: "POST", path: "/post-va", form: true, sign: apmCredit,
		base: apm("action", "CREDIT2VIRTUAL", "return_url", absent, "identifier", absent, "payer_ip", absent),
		fields: slices.Concat(s2sKeyed, []field{
			brand, f("channel_id").takes(channel).refuses(channel + "7").structured(),
			unique(text(1, 255), "order_id").required(),
			money(f("order_amount")).refusing(zero, "0.00").takes("100").beside(1, "order_currency", "JPY").refuses("100.00").
				beside(1, "order_currency", "JPY").
				takes("1.000").beside(1, "order_currency", "KWD").required(),
			currency(f("order_currency")).required(), text(1, 1024)(f("order_description")).required(),
			link(255)(f("callback_url")),
		}),
	},
	{
		name: "mobile money", method: "POST", path: "/post-va", form: true, sign: apmCredit, base: mobile,
		fields: []field{
			text(1, 1024)(f("order_description")),
			text(1, 32)(f("payee_first_name")).required(), text(1, 32)(f("payee_last_name")).required(),
			mail(256)(f("payee_email")).required(),
			f("parameters[mobile_money_operator]").required().refuses("no operator", "MPESA-KE").structured(),
			f("parameters[mobile_number]").required().refuses("12", "text", "+233241234567").structured(),
			f("parameters[customer_email]").required().refuses("plain").structured(),
			f("parameters[customer_name]").takes("Awa Diop").structured(),
			f("order_currency").required(),
		},
	},
	{
		name: "CREDIT2CRYPTO", method: "POST", path: "/post-va", form: true, sign: apmCredit,
		base: apm("action", "CREDIT2CRYPTO", "brand", "crypto-btg", "order_currency", "USDT", "order_amount", "10.000000",
			"return_url", absent,
			"identifier", absent, "payer_ip", absent),
		fields: slices.Concat(s2sKeyed, []field{
			brand, f("channel_id").takes(channel).refuses(channel + "7").structured(), unique(text(1, 255), "order_id").
				required(),
			f("order_amount").takes("0.000001").refuses("10.00", "10", "1.0000000").refusing(zero, "0.000000").required(),
			f("order_currency").required().refuses("ZZZZ", "US"), text(1, 1024)(f("order_description")).required(),
			text(1, 50)(f("crypto_network")), link(255)(f("callback_url")),
		}),
	},
	{name: "DEBIT2VIRTUAL", method: "POST", path: "/post-va", form: true, sign: apmSale, base: virtual("DEBIT2VIRTUAL"),
		fields: virtualFields},
	{name: "DEBIT2VIRTUAL_CALC", method: "POST", path: "/post-va", form: true, sign: apmSale,
		base: virtual("DEBIT2VIRTUAL_CALC"), fields: virtualFields},
	{name: "DEBIT2VIRTUAL_COMPLETE", method: "POST", path: "/post-va", form: true, sign: apmTrans, spends: true,
		fields: transID,
		base:   namingAPM("DEBIT2VIRTUAL_COMPLETE", virtual("DEBIT2VIRTUAL_CALC"))},
	{name: "APM CREDITVOID", method: "POST", path: "/post-va", form: true, sign: apmCreditvoid, spends: true,
		base:   namingAPM("CREDITVOID", apm()),
		fields: slices.Concat(transID, []field{part(f("amount"))})},
	{name: "APM VOID", method: "POST", path: "/post-va", form: true, sign: apmTrans, spends: true,
		base: namingAPM("VOID", apm()), fields: transID},
	{name: "APM GET_TRANS_STATUS", method: "POST", path: "/post-va", form: true, sign: apmTrans,
		base: namingAPM("GET_TRANS_STATUS", apm()), fields: transID},
}

// brand is a method of the catalogue. An unknown one is no malformed value: it has its own answer.
var brand = f("brand").required().refuses(long(37)).structured()

var virtualFields = slices.Concat(s2sOrder, apmPayer(40), []field{
	brand, text(1, 255)(f("identifier")).required(), link(256)(f("payer_return_url")).required(), ip(f("payer_ip")).
		required(),
	link(255)(f("callback_url")),
})

// apmPayer are the payer's fields, where a zip may be longer than with a card.
func apmPayer(city int) []field {
	return slices.DeleteFunc(person("payer", city, 32),
		func(x field) bool { return x.name == "payer_address2" || x.name == "payer_middle_name" })
}

func mobile(b *bench) body {
	return apm("action", "CREDIT2VIRTUAL", "brand", "mobile-money", "order_currency", "KES", "order_amount", "100.00",
		"return_url", absent,
		"identifier", absent, "payer_ip", absent, "payee_first_name", "Awa", "payee_last_name", "Diop", "payee_email",
		"awa@example.com",
		"parameters[mobile_money_operator]", "mpesa-ke", "parameters[mobile_number]", "+254712345678",
		"parameters[customer_email]", "awa@example.com")(b)
}

func namingAPM(action string, of func(*bench) body) func(*bench) body {
	return func(b *bench) body {
		id := b.once(subject, func() string { return b.s2s(apmSale, "trans_id", of(b)) })
		return body{"action": action, "client_key": gatewaytest.MerchantKey, "trans_id": id}
	}
}
