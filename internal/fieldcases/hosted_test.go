package fieldcases_test

import "slices"

// Update and payment of Hosted Payment Fields (SPEC1, "session update fields" and "payment request fields").

var hostedDoors = []door{
	{
		name: "update", method: "PUT", path: "/api/v1/session/update", token: ofPurchase,
		base: func(*bench) body { return body{"order_amount": "12.00"} },
		fields: []field{
			nothing(moneyIn("order_currency")(f("order_amount"))).itself().given("order_currency", "USD"),
			currency(f("order_currency")),
			strict(f("recurring_init")).itself(), strict(f("req_token")).itself(),
			f("schedule_id").takes(monthly, nil).refusing(bare+"Schedule not found", "no schedule").refuses(1).structured().
				given("recurring_init", true),
			f("schedule_id").itself().refuses(monthly).given("recurring_init", false), // decision ai
			f("parameters").takes(map[string]any{}, map[string]any{"card": map[string]any{"descriptor": "Shop"}}).
				refuses("text", 1, []any{"x"}),
			f("custom_data").takes(map[string]any{}, map[string]any{"a": 1}).refuses("text", 1, true),
			unlisted("merchant_key"), unlisted("hash"), unlisted("order"), unlisted("amount"), unlisted("success_url"),
			unlisted("unknown"),
		},
	},
	{
		name: "payment of a purchase", method: "POST", path: "/api/v1/processing/purchase/card", token: ofPurchase,
		spends: true,
		base:   hostedPayment, fields: hostedFields,
	},
	{
		name: "payment of a debit", method: "POST", path: "/api/v1/processing/debit/card",
		token: func(b *bench) string { return b.token("debit") }, spends: true,
		base: hostedPayment, fields: hostedFields,
	},
}

func ofPurchase(b *bench) string { return b.token("purchase") }

func hostedPayment(*bench) body { return body{"name": "John Doe", "with_hosted_fields": true} }

// unlisted is a field that cannot be updated.
func unlisted(name string) field {
	return f(name).itself().refusing(bare+`Parameter "`+name+`" can not be updated.`, "x")
}

var hostedFields = slices.Concat(
	[]field{
		latin(2, 200)(f("name")).required(),
		f("with_hosted_fields").required().refuses("maybe", 1, false, []any{"x"}).takes(true),
		mail(255)(f("email")), date(f("birth_date")), f("selected_language").takes("en", "xx"),
		f("browser_info").takes([]any{}, map[string]any{}).refuses("text", 1, []any{"x"}),
		f("birth_day").takes("x"), // an unknown field (hpf.md)
	},
	slices.DeleteFunc(payer("billing_address"), func(x field) bool {
		return x.name == "billing_address.language"
	}),
	named(func(x field) field { return x.takes("24", "x", 24, true).refuses(map[string]any{"a": "b"}, []any{"x"}) },
		"browser_info.color_depth", "browser_info.java_enabled",
		"browser_info.java_script_enabled", "browser_info.language", "browser_info.screen_height",
		"browser_info.screen_width",
		"browser_info.time_zone_offset", "browser_info.user_agent", "browser_info.platform", "browser_info.accept_header"),
)
