package fieldcases_test

import (
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// Checkout's follow-ups and later payments (checkout.md, "Request bodies of follow-ups").

var followUpDoors = []door{
	{
		name: "status of a payment", method: "POST", path: "/api/v1/payment/status", sign: byPayment, base: about(settled),
		fields: slices.Concat(keyed, []field{
			// Without payment_id the request is about an order, which is then missing.
			f("payment_id").itself().refuses(long(256)).structured(),
			f("size").itself().takes("", nil, absent),
		}),
	},
	{
		name: "status of an order", method: "POST", path: "/api/v1/payment/status", sign: byOrder,
		base: func(b *bench) body {
			about(settled)(b)
			return body{"merchant_key": gatewaytest.MerchantKey, "order_id": "ORD-PAID"}
		},
		fields: slices.Concat(keyed, []field{
			f("order_id").itself().refuses(long(256)).structured(),
			size,
		}),
	},
	{
		name: "refund", method: "POST", path: "/api/v1/payment/refund", sign: byPayment, base: about(settled, "amount",
			"10.00"), spends: true,
		fields: slices.Concat(keyed, paymentID, []field{part(f("amount")).required()}),
	},
	{
		name: "capture", method: "POST", path: "/api/v1/payment/capture", sign: byPayment, base: about(reserved, "amount",
			"10.00"), spends: true,
		fields: slices.Concat(keyed, paymentID, []field{part(f("amount")).required()}),
	},
	{
		name: "void", method: "POST", path: "/api/v1/payment/void", sign: byPayment, base: about(settled), spends: true,
		fields: slices.Concat(keyed, paymentID),
	},
	{
		name: "retry", method: "POST", path: "/api/v1/payment/retry", sign: byPayment, base: about(settled), closed: true,
		fields: slices.Concat(formOf(keyed), paymentID),
	},
	{
		name: "recurring", method: "POST", path: "/api/v1/payment/recurring", sign: byRecurring, base: later,
		fields: slices.Concat(keyed, []field{
			unique(text(3, 255), "order.number").required(),
			nothing(money(f("order.amount"))).required(),
			text(2, 1024)(f("order.description")).required(),
			f("recurring_init_trans_id").required().refuses(long(256)).structured(), f("recurring_token").required().
				refuses(long(256)).structured(),
			f("schedule_id").takes(monthly).structured(),
			f("custom_data").takes([]any{}, map[string]any{"a": 1}).refuses("text", 1, true),
			latin(2, 200)(f("customer.name")), mail(255)(f("customer.email")),
			f("order").itself().refuses("text", 1, []any{"x"}),
		}),
	},
	{
		name: "card credit to a number", method: "POST", path: "/api/v1/payment/card/credit", sign: byCredit,
		base: payout("card_number", pan),
		fields: slices.Concat(keyed, payouts, []field{
			f("card_number").takes("4111111111111111", "5555555555554444").refuses("4111111111111112", "411111111111", "4111",
				"text", long(20)).itself().structured(),
		}),
	},
	{
		name: "card credit to a token", method: "POST", path: "/api/v1/payment/card/credit", sign: byCredit,
		base: func(b *bench) body { return payout("card_token", b.saved())(b) },
		fields: slices.Concat(keyed, payouts, []field{
			f("card_token").refuses(long(63), long(65)).itself().structured(),
		}),
	},
}

// size has its own text.
var size = f("size").takes("1", "100", 1, 100).
	refusing(bare+"size should be within 1..100", "0", "101", "-1", "1.5", "abc", "1e1", "99999999999999999999", 0, 101,
		1.5, true, []any{"x"})

var keyed = []field{
	f("merchant_key").required().refuses("no key").structured(),
	f("hash").required().refusing("Hash is not valid.", "x").structured(),
	f("unknown").takes("x"),
}

// formOf are the malformed values.
func formOf(list []field) []field {
	list = slices.Clone(list)
	for i := range list {
		list[i].tries = slices.DeleteFunc(slices.Clone(list[i].tries), func(c try) bool { return c.ok })
	}
	return list
}

var paymentID = []field{f("payment_id").required().refuses(long(256)).structured()}

// part is the amount of a follow-up on 10.00 dollars.
func part(x field) field {
	return x.takes("0.01", "10.00").refuses("5", "5.0", "5.000", "5,00", "1e0", "+5.00", " 5.00", "five").refusing(zero,
		"0.00", "-1.00").structured()
}

// about is a request about a payment that is made when it is needed.
func about(make func(*bench) string, pairs ...any) func(*bench) body {
	return func(b *bench) body {
		return body{"merchant_key": gatewaytest.MerchantKey, "payment_id": b.once(subject,
			func() string { return make(b) })}.with(pairs...)
	}
}

func settled(b *bench) string { return b.paid(func(*gateway.SessionRequest) {}) }

func reserved(b *bench) string { return b.paid(func(r *gateway.SessionRequest) { r.Hold = true }) }

func (b *bench) paid(change func(*gateway.SessionRequest)) string {
	order := b.order()
	if _, ok := b.kept["ORD-PAID"]; !ok {
		order, b.kept["ORD-PAID"] = "ORD-PAID", ""
	}
	r := gatewaytest.Request(order, "10.00")
	change(&r)
	b.Pay(b.t, b.SessionOf(b.t, r), gatewaytest.Settles)
	return b.Payment(b.t, order).ID
}

// later is a payment of a chain that began with a purchase.
func later(b *bench) body {
	first := b.once("first", func() string {
		return b.paid(func(r *gateway.SessionRequest) { r.Extra.RecurringInit = true })
	})
	return body{
		"merchant_key": gatewaytest.MerchantKey, "order.number": b.order(), "order.amount": "5.00",
		"order.description":       "Second month",
		"recurring_init_trans_id": first, "recurring_token": b.Payment(b.t, "ORD-PAID").RecurringToken,
	}
}

// saved is the token of a card.
func (b *bench) saved() string {
	return b.once("saved", func() string {
		b.paid(func(r *gateway.SessionRequest) { r.Extra.ReqToken = true })
		b.Work(b.t)
		for _, form := range b.Inbox.Fields(b.t) {
			if token := form.Get("card_token"); token != "" {
				return token
			}
		}
		return ""
	})
}

func payout(pairs ...any) func(*bench) body {
	return func(b *bench) body {
		return body{
			"merchant_key": gatewaytest.MerchantKey, "order_id": b.order(), "order_amount": "7.00", "order_currency": "USD",
			"order_description": "Your prize",
		}.with(pairs...)
	}
}

var payouts = []field{
	unique(text(3, 255), "order_id").required(),
	moneyIn("order_currency")(f("order_amount")).refusing(zero, "0.00").required(),
	currency(f("order_currency")).required(),
	text(2, 1024)(f("order_description")).required(),
	latin(1, 32)(f("payee_first_name")), latin(1, 32)(f("payee_last_name")),
	f("payee_last_name").takes(long(32)).given("payee_first_name", long(32)),
	mail(255)(f("payee_email")), ip(f("payee_ip")),
}
