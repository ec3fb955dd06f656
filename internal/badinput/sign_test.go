package badinput_test

import "github.com/tollgatepay/gateway/callback/signature"

// The formulas of the requests (checkout.md and s2s_card.md, "Hash formulas").

func signSession(o object, mode signature.Mode, password string) string {
	return signature.Sign(signature.CheckoutSession, mode, signature.Inputs{
		OrderNumber: o.at("order.number"), Amount: o.at("order.amount"), Currency: o.at("order.currency"),
		Description: o.at("order.description"),
	}, password)
}

func signPayment(o object, mode signature.Mode, password string) string {
	in := signature.Inputs{PaymentID: o.at("payment_id"), OrderID: o.at("order_id"), Amount: o.at("amount")}
	formula := signature.CheckoutPayment
	switch {
	case in.PaymentID == "" && in.OrderID != "":
		formula = signature.CheckoutOrder
	case in.Amount != "":
		formula = signature.CheckoutAmount
	}
	return signature.Sign(formula, mode, in, password)
}

func signRecurring(o object, mode signature.Mode, password string) string {
	return signature.Sign(signature.CheckoutRecurring, mode, signature.Inputs{
		RecurringInitTransID: o.at("recurring_init_trans_id"), RecurringToken: o.at("recurring_token"),
		OrderNumber: o.at("order.number"), Amount: o.at("order.amount"), Description: o.at("order.description"),
	}, password)
}

func signCredit(o object, mode signature.Mode, password string) string {
	return signature.Sign(signature.CheckoutCredit, mode, signature.Inputs{
		OrderID: o.at("order_id"), Amount: o.at("order_amount"), Currency: o.at("order_currency"),
		Description: o.at("order_description"),
	}, password)
}

// by signs an S2S request by a formula over its fields.
func by(formula signature.Formula) func(object, signature.Mode, string) string {
	return func(o object, mode signature.Mode, password string) string {
		in := signature.Inputs{
			OrderID: o.at("order_id"), Amount: o.at("order_amount"), Currency: o.at("order_currency"),
			Identifier: o.at("identifier"),
			ScheduleID: o.at("schedule_id"), TransID: o.at("trans_id"), Email: o.at("payer_email"), Card: o.at("card_number"),
			CardToken: o.at("card_token"),
		}
		used := formula
		switch {
		case formula == signature.Card1 && o.at("payer_card_number") != "":
			in.Card = o.at("payer_card_number")
		case formula == signature.Card1 && in.Card == "" && in.CardToken != "":
			used = signature.Card1Token
		case formula == signature.Card1 && in.Card == "" && o.at("payment_token") != "":
			used = signature.Card8
		}
		return signature.Sign(used, mode, in, password)
	}
}

// ofPayment is by for a request about a payment; all payments here have the same e-mail and card.
func ofPayment(formula signature.Formula) func(object, signature.Mode, string) string {
	return func(o object, mode signature.Mode, password string) string {
		return by(formula)(o.with("payer_email", email, "card_number", pan), mode, password)
	}
}
