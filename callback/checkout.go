package callback

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// dateTime is how callbacks and answers write moments, in UTC (callbacks.md, "Body rules").
const dateTime = time.DateTime

// checkoutFields is the table of checkout.md, "Callback parameters", in the order of its samples. A
// parameter without a value is left out, but for those that are always sent. The names SPEC1 uses
// (payment_id, trans_id, order_id) stand beside those of the 2025 guide.
var checkoutFields = []struct {
	name   string
	always bool
	value  func(*Event) string
}{
	{"id", true, func(e *Event) string { return e.Payment.ID }},
	{"order_number", true, func(e *Event) string { return e.Payment.Order.Number }},
	{"order_amount", true, func(e *Event) string { return e.Payment.Order.Amount }},
	{"order_currency", true, func(e *Event) string { return e.Payment.Order.Currency }},
	{"order_description", true, func(e *Event) string { return e.Payment.Order.Description }},
	{"order_status", true, func(e *Event) string { return e.Payment.Status.Checkout() }},
	{"type", true, func(e *Event) string { return e.Type }},
	{"status", true, func(e *Event) string { return e.Status }},
	{"payment_id", true, func(e *Event) string { return e.Payment.ID }},
	{"trans_id", true, func(e *Event) string { return e.Transaction.ID }},
	{"order_id", true, func(e *Event) string { return e.Payment.Order.Number }},
	{"reason", false, reason},
	{"card", false, func(e *Event) string { return card(e).Mask }},
	{"card_expiration_date", false, expiry},
	{"customer_name", false, func(e *Event) string { return e.Payment.Payer.Name }},
	{"customer_email", false, func(e *Event) string { return e.Payment.Payer.Email }},
	{"customer_country", false, func(e *Event) string { return e.Payment.Payer.Address.Country }},
	{"customer_state", false, func(e *Event) string { return e.Payment.Payer.Address.State }},
	{"customer_city", false, func(e *Event) string { return e.Payment.Payer.Address.City }},
	{"customer_address", false, func(e *Event) string { return e.Payment.Payer.Address.Address }},
	{"customer_ip", true, func(e *Event) string { return e.Payment.Payer.IP }},
	{"date", false, func(e *Event) string { return e.Transaction.CreatedAt.Format(dateTime) }},
	{"connector_name", false, extended(func(e *Event) string { return e.MID.Connector })},
	{"rrn", false, extended(func(e *Event) string { return e.Transaction.Facts.RRN })},
	{"approval_code", false, extended(func(e *Event) string { return e.Transaction.Facts.ApprovalCode })},
	{"gateway_id", false, extended(func(e *Event) string { return e.Transaction.Facts.GatewayID })},
	{"merchant_name", false, extended(func(e *Event) string { return e.Merchant.Name })},
	{"mid_name", false, extended(func(e *Event) string { return e.MID.Name })},
	{"issuer_country", false, extended(func(e *Event) string { return e.Transaction.Facts.IssuerCountry })},
	{"issuer_bank", false, extended(func(e *Event) string { return e.Transaction.Facts.IssuerBank })},
}

func card(e *Event) store.CardFacts {
	if e.Payment.Card == nil {
		return store.CardFacts{}
	}
	return *e.Payment.Card
}

func expiry(e *Event) string {
	if e.Payment.Card == nil {
		return ""
	}
	return e.Payment.Card.Expiry.String()
}

// reason is sent with status fail only; a dispute carries the scheme's.
func reason(e *Event) string {
	if e.Status != "fail" && e.Transaction.Operation != store.OpChargeback {
		return ""
	}
	return CheckoutReason(e.Transaction.Reason)
}

// CheckoutReason is a decline reason as Checkout spells it: the platform's own text ends with a full
// stop there (errors.md, "Decline texts").
func CheckoutReason(reason string) string {
	if reason == "Declined by processing" {
		return reason + "."
	}
	return reason
}

// extended is sent only when the mapping's Add Extended Data to Callback is on.
func extended(value func(*Event) string) func(*Event) string {
	return func(e *Event) string {
		if !e.Mapping.ExtendedData {
			return ""
		}
		return value(e)
	}
}
