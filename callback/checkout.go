package callback

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// checkoutFields is the table of checkout.md, "Callback parameters", in the order of its samples, with the
// additions of SPEC1. The names of SPEC1 (payment_id, trans_id, order_id) come in addition to those of the 2025
// guide.
var checkoutFields = slices.Concat([]row{
	{name: "id", when: always, value: paymentID},
	{name: "order_number", when: always, value: orderNumber},
	{name: "order_amount", when: always, value: func(e *Event) string { return e.Payment.Order.Amount }},
	{name: "order_currency", when: always, value: orderCurrency},
	{name: "order_description", when: always, value: func(e *Event) string { return e.Payment.Order.Description }},
	{name: "order_status", when: always, value: func(e *Event) string { return e.Payment.Status.Checkout() }},
	{name: "type", when: always, value: func(e *Event) string { return e.Type }},
	{name: "status", when: always, value: func(e *Event) string { return e.Status }},
	{name: "payment_id", when: always, value: paymentID},
	{name: "trans_id", when: always, value: transactionID},
	{name: "order_id", when: always, value: orderNumber},
	{name: "amount", when: given("a follow-up, unless OrderAmountOnly", ownAmount), value: func(e *Event) string { return e.Payment.AmountText(e.Transaction.Amount) }},
	{name: "reason", when: given("status fail, and a chargeback", reasoned), value: func(e *Event) string { return CheckoutReason(e.Transaction.Reason) }},

	{name: "payee_name", when: given("a transfer or a payout", toPayee), value: payee(func(p *store.Payer) string { return p.FullName() })},
	{name: "payee_email", when: given("a transfer or a payout", toPayee), value: payee(func(p *store.Payer) string { return p.Email })},
	{name: "payee_country", when: given("a transfer or a payout", toPayee), value: payee(func(p *store.Payer) string { return p.Address.Country })},
	{name: "payee_state", when: given("a transfer or a payout", toPayee), value: payee(func(p *store.Payer) string { return p.Address.State })},
	{name: "payee_city", when: given("a transfer or a payout", toPayee), value: payee(func(p *store.Payer) string { return p.Address.City })},
	{name: "payee_address", when: given("a transfer or a payout", toPayee), value: payee(func(p *store.Payer) string { return p.Address.Address })},
	{name: "payee_card", when: given("a transfer or a payout", toPayee), value: func(e *Event) string { return card(e.Payment.PayeeCard).Mask }},

	{name: "card", when: filled, value: cardMask},
	{name: "card_expiration_date", when: filled, value: cardExpiry},
	{name: "card_token", when: given("a purchase or debit", withToken), value: cardToken},
	{name: "crypto_network", when: filled, value: cryptoNetwork},
	{name: "crypto_address", when: filled, value: fact(func(f *store.Facts) string { return f.CryptoAddress })},

	{name: "customer_name", when: filled, value: payer(func(p *store.Payer) string { return p.FullName() })},
	{name: "customer_email", when: filled, value: payer(func(p *store.Payer) string { return p.Email })},
	{name: "customer_country", when: filled, value: payer(func(p *store.Payer) string { return p.Address.Country })},
	{name: "customer_state", when: filled, value: payer(func(p *store.Payer) string { return p.Address.State })},
	{name: "customer_city", when: filled, value: payer(func(p *store.Payer) string { return p.Address.City })},
	{name: "customer_address", when: filled, value: payer(func(p *store.Payer) string { return p.Address.Address })},
	{name: "customer_ip", when: always, value: payer(func(p *store.Payer) string { return p.IP })},
	{name: "date", when: filled, value: date},

	{name: "recurring_init_trans_id", when: filled, value: func(e *Event) string { return e.Payment.RecurringInitID }},
	{name: "recurring_token", when: filled, value: recurring},
	{name: "schedule_id", when: filled, value: schedule},
},
	exchange(filled),
	[]row{
		{name: "vat_amount", when: filled, value: vat},
		{name: "digital_wallet", when: filled, value: wallet},
		{name: "pan_type", when: filled, value: panType},
		{name: "moto_type", when: filled, value: func(e *Event) string { return e.Payment.MOTOType }},
	},
	extended(filled),
	additions,
	[]row{
		{name: "custom_data", when: filled, tree: customData},
		{name: hash, when: always, value: unsigned},
	})

// ownAmount: a follow-up has an amount of its own beside the order's, which is the signed one (decision aq).
func ownAmount(e *Event) bool {
	switch e.Transaction.Operation {
	case store.OpCapture, store.OpVoid, store.OpRefund, store.OpReversal, store.OpChargeback:
		return !e.Mapping.OrderAmountOnly
	default:
		return false
	}
}

// reasoned: a reason is sent with status fail only; a dispute has the scheme's reason.
func reasoned(e *Event) bool {
	return e.Status == failed || e.Transaction.Operation == store.OpChargeback
}

// toPayee: a transfer and a payout have a payee.
func toPayee(e *Event) bool {
	return e.Payment.Kind == store.Transfer || e.Payment.Kind == store.Credit
}

func payee(value func(*store.Payer) string) func(*Event) string {
	return func(e *Event) string {
		if e.Payment.Payee == nil {
			return ""
		}
		return value(e.Payment.Payee)
	}
}

// withToken: every callback of a purchase or debit has the card token that was asked for, or paid with
// (SPEC1, "Events").
func withToken(e *Event) bool {
	return e.Payment.Kind == store.Purchase || e.Payment.Kind == store.Debit
}

// CheckoutReason returns a decline reason in Checkout's spelling: there the platform's own text ends with a full
// stop (errors.md, "Decline texts").
func CheckoutReason(reason string) string {
	if reason == store.ReasonProcessing {
		return reason + "."
	}
	return reason
}

func signCheckout(e *Event, _ []Field) string {
	return CheckoutHash(e.Payment, e.Mapping, e.Merchant.Password)
}
