package fieldcases_test

import (
	"slices"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// Follow-ups of S2S CARD, and schedules (s2s_card.md).

var cardFollowUpDoors = []door{
	{name: "CAPTURE", method: "POST", path: "/post", form: true, sign: ofPayer("trans_id"), base: naming("CAPTURE",
		"SALE", "auth", "Y"), spends: true,
		fields: slices.Concat(transID, []field{part(f("amount"))})},
	{name: "CREDITVOID", method: "POST", path: "/post", form: true, sign: ofPayer("trans_id"), base: naming("CREDITVOID",
		"SALE"), spends: true,
		fields: slices.Concat(transID, []field{part(f("amount"))})},
	{name: "VOID", method: "POST", path: "/post", form: true, sign: ofPayer("trans_id"), base: naming("VOID", "SALE"),
		spends: true, fields: transID},
	{name: "GET_TRANS_STATUS", method: "POST", path: "/post", form: true, sign: ofPayer("trans_id"),
		base: naming("GET_TRANS_STATUS", "SALE"), fields: transID},
	{name: "GET_TRANS_DETAILS", method: "POST", path: "/post", form: true, sign: ofPayer("trans_id"),
		base: naming("GET_TRANS_DETAILS", "SALE"), fields: transID},
	{
		name: "GET_TRANS_STATUS_BY_ORDER", method: "POST", path: "/post", form: true, sign: ofPayer("order_id"),
		base: func(b *bench) body {
			naming("", "SALE", "order_id", "ORD-SOLD")(b)
			return body{"action": "GET_TRANS_STATUS_BY_ORDER", "client_key": gatewaytest.MerchantKey, "order_id": "ORD-SOLD"}
		},
		fields: slices.Concat(s2sKeyed, []field{f("order_id").required().refuses(long(256)).structured()}),
	},
}

// closedDoors need a state that the test acquirer does not reach in one step.
var closedDoors = []door{
	{name: "RETRY", method: "POST", path: "/post", form: true, sign: ofPayer(""), base: naming("RETRY", "SALE"),
		closed: true, fields: formOf(transID)},
	{name: "STOP_SCHEDULE", method: "POST", path: "/post", form: true, sign: ofPayer("trans_id"),
		base: naming("STOP_SCHEDULE", "SALE"), closed: true, fields: formOf(transID)},
	{name: "APM CAPTURE", method: "POST", path: "/post-va", form: true, sign: apmTrans, base: namingAPM("CAPTURE",
		apm()), closed: true,
		fields: formOf(slices.Concat(transID, []field{part(f("amount"))}))},
	{
		name: "DESCHEDULE", method: "POST", path: "/post", form: true, sign: card4, closed: true,
		base:   func(b *bench) body { return ofSchedule("DESCHEDULE")(b).with("recurring_token", "x") },
		fields: formOf(slices.Concat(scheduleID, []field{f("recurring_token").required().refuses(long(256)).structured()})),
	},
	{
		name: "SALE by a wallet", method: "POST", path: "/post", form: true, sign: card8, closed: true,
		base: func(b *bench) body {
			return sale("SALE")(b).with("card_number", absent, "card_exp_month", absent, "card_exp_year", absent, "card_cvv2",
				absent,
				"digital_wallet", "googlepay", "payment_token", "{}")
		},
		fields: formOf([]field{
			oneOf("googlepay", "applepay")(f("digital_wallet")).required(), f("payment_token").required().structured(),
		}),
	},
}

var transID = slices.Concat(s2sKeyed, []field{f("trans_id").required().refuses(long(256)).structured()})

// naming is a request about a payment of the other action.
func naming(action, of string, pairs ...any) func(*bench) body {
	return func(b *bench) body {
		id := b.once(subject, func() string { return b.s2s(card1, "trans_id", sale(of, pairs...)(b)) })
		return body{"action": action, "client_key": gatewaytest.MerchantKey, "trans_id": id}
	}
}

var scheduleDoors = []door{
	{name: "CREATE_SCHEDULE", method: "POST", path: "/post", form: true, sign: card3, base: plan, fields: planned},
	{
		name: "UPDATE_SCHEDULE", method: "POST", path: "/post", form: true, sign: card4,
		base: func(b *bench) body { return ofSchedule("UPDATE_SCHEDULE")(b).with("name", "Other") },
		fields: slices.Concat(scheduleID, []field{
			text(1, 100)(f("name")), count(f("interval_length")), oneOf("day", "month")(f("interval_unit")),
			count(f("payments_count")), f("delays").itself().refusing(bare+"Parameter is deprecated.", "1"),
			number(1, 31)(f("day_of_month")).given("interval_unit", "month"),
		}),
	},
	{name: "PAUSE_SCHEDULE", method: "POST", path: "/post", form: true, sign: card4, base: ofSchedule("PAUSE_SCHEDULE"),
		spends: true, fields: scheduleID},
	{name: "SCHEDULE_INFO", method: "POST", path: "/post", form: true, sign: card4, base: ofSchedule("SCHEDULE_INFO"),
		fields: scheduleID},
	{name: "DELETE_SCHEDULE", method: "POST", path: "/post", form: true, sign: card4,
		base: ofSchedule("DELETE_SCHEDULE"), spends: true, fields: scheduleID},
	{
		name: "RUN_SCHEDULE", method: "POST", path: "/post", form: true, sign: card4, spends: true, fields: scheduleID,
		base: func(b *bench) body {
			id := b.once(subject, func() string {
				id := b.s2s(card3, "schedule_id", plan(b))
				b.s2s(card4, "result", body{"action": "PAUSE_SCHEDULE", "client_key": gatewaytest.MerchantKey, "schedule_id": id})
				return id
			})
			return body{"action": "RUN_SCHEDULE", "client_key": gatewaytest.MerchantKey, "schedule_id": id}
		},
	},
}

var scheduleID = slices.Concat(s2sKeyed, []field{f("schedule_id").required().refuses(long(256)).structured()})

func plan(*bench) body {
	return body{
		"action": "CREATE_SCHEDULE", "client_key": gatewaytest.MerchantKey, "name": "Monthly", "interval_length": "1",
		"interval_unit": "month", "payments_count": "3",
	}
}

func ofSchedule(action string) func(*bench) body {
	return func(b *bench) body {
		id := b.once(subject, func() string { return b.s2s(card3, "schedule_id", plan(b)) })
		return body{"action": action, "client_key": gatewaytest.MerchantKey, "schedule_id": id}
	}
}

// count is a number that is not 0.
func count(x field) field {
	return x.takes("1", "12").refuses("0", "-1", "1.5", "abc", "99999999999999999999").structured()
}

var planned = slices.Concat(s2sKeyed, []field{
	text(1, 100)(f("name")).required(),
	count(f("interval_length")).required(), oneOf("day", "month")(f("interval_unit")).required(),
	number(1, 31)(f("day_of_month")), f("day_of_month").itself().refuses("1").given("interval_unit", "day"),
	count(f("payments_count")).required(),
	f("delays").itself().refusing(bare+"Parameter is deprecated.", "1", "0"),
	oneOf("none")(f("delayed_first_payment")),
	f("delayed_first_payment").itself().takes("delay_by_interval", "by_interval").
		given("first_payment_interval_length", "1", "first_payment_interval_unit", "day"),
	f("delayed_first_payment").itself().takes("day_of_week", "to_day_of_week").given("first_payment_day_of_week", "1"),
	f("delayed_first_payment").itself().takes("day_of_month", "to_day_of_month").given("first_payment_day_of_month", "1"),
	count(f("first_payment_interval_length")).required().given("delayed_first_payment", "delay_by_interval",
		"first_payment_interval_unit", "day"),
	oneOf("day", "month")(f("first_payment_interval_unit")).required().given("delayed_first_payment",
		"delay_by_interval", "first_payment_interval_length", "1"),
	number(1, 31)(f("first_payment_day_of_month")).required().given("delayed_first_payment", "day_of_month"),
	f("first_payment_day_of_week").takes("1", "7").refuses("8", "x", "-1").structured().required().
		given("delayed_first_payment", "day_of_week"),
})
