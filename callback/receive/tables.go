package receive

import (
	"net/url"
	"slices"

	"github.com/tollgatepay/gateway/callback/signature"
)

// shape is where the fields of a callback are (docs/protocol/callbacks.md).
type shape struct {
	protocol Protocol
	required []string // never empty
	named    []string // always sent, but empty before the payer of crypto has chosen the amount
	fields   map[string]func(*Callback) *string
}

// missing returns the name of a field that is not as it has to be, or "".
func (s *shape) missing(fields url.Values) string {
	for _, name := range s.required {
		if fields.Get(name) == "" {
			return name
		}
	}
	for _, name := range s.named {
		if !fields.Has(name) {
			return name
		}
	}
	return ""
}

var checkoutShape = shape{
	protocol: Checkout,
	required: []string{"id", "order_number", "order_currency", "type", "status", "order_status", "hash"},
	named:    []string{"order_amount"},
	fields: map[string]func(*Callback) *string{
		"type": actionOf, "status": resultOf, "order_status": statusOf, "order_number": orderOf, "id": paymentOf,
		"trans_id": transactionOf, "amount": amountOf, "order_currency": currencyOf, "reason": reasonOf,
		"recurring_token": recurringOf, "card_token": cardTokenOf, "schedule_id": scheduleOf,
	},
}

// s2sShape is that of both protocols of S2S. Which of them it is, the formula tells.
var s2sShape = shape{
	protocol: S2SCard,
	required: []string{"action", "result", "order_id", "trans_id", "hash"},
	fields: map[string]func(*Callback) *string{
		"action": actionOf, "result": resultOf, "status": statusOf, "order_id": orderOf, "trans_id": paymentOf,
		"creditvoid_id": transactionOf, "amount": amountOf, "currency": currencyOf, "decline_reason": reasonOf,
		"recurring_token": recurringOf, "card_token": cardTokenOf, "schedule_id": scheduleOf,
	},
}

func actionOf(c *Callback) *string      { return &c.Action }
func resultOf(c *Callback) *string      { return &c.Result }
func statusOf(c *Callback) *string      { return &c.Status }
func orderOf(c *Callback) *string       { return &c.Order }
func paymentOf(c *Callback) *string     { return &c.PaymentID }
func transactionOf(c *Callback) *string { return &c.TransactionID }
func amountOf(c *Callback) *string      { return &c.Amount }
func currencyOf(c *Callback) *string    { return &c.Currency }
func reasonOf(c *Callback) *string      { return &c.Reason }
func recurringOf(c *Callback) *string   { return &c.RecurringToken }
func cardTokenOf(c *Callback) *string   { return &c.CardToken }
func scheduleOf(c *Callback) *string    { return &c.ScheduleID }

// signing is a formula by which a callback may be signed, and the fields that it covers; nil for all. known means that
// it needs what is not in the callback.
type signing struct {
	protocol Protocol
	formula  signature.Formula
	signed   []string
	known    bool
}

var (
	byCheckout = signing{Checkout, signature.CheckoutCallback,
		[]string{"id", "order_amount", "order_currency", "order_description", "order_number"}, false}
	byPayoutToCard = signing{S2SCard, signature.Card6, []string{"trans_id"}, true}
	byPayout       = signing{S2SAPM, signature.APMCreditCallback, []string{"order_id", "status", "trans_id"}, false}
	byWhole        = signing{S2SAPM, signature.APMCallback, nil, false}
	byCard         = signing{S2SCard, signature.Card2, []string{"trans_id"}, true}
	byEmail        = signing{S2SAPM, signature.APMCryptoCallback, []string{"trans_id"}, true}
)

// Signed returns the fields of a callback that the hash of a formula covers, in the order of their names. all is true
// for a formula that covers every field but the hash. A formula that signs no callbacks covers none.
func Signed(f signature.Formula) (fields []string, all bool) {
	for _, row := range []signing{byCheckout, byPayoutToCard, byPayout, byWhole, byCard, byEmail} {
		if row.formula == f {
			return slices.Clone(row.signed), row.signed == nil
		}
	}
	return nil, false
}

// formulasOf returns the formulas that may sign a callback. One that covers everything comes first. Those that need
// what is known of the payment are left out without it: they would verify with empty values.
func formulasOf(c *Callback, known bool) (list []signing) {
	switch {
	case c.Protocol == Checkout:
		list = []signing{byCheckout}
	case c.Action == "CREDIT2CARD":
		list = []signing{byPayoutToCard}
	case slices.Contains([]string{"CREDIT2VIRTUAL", "CREDIT2CRYPTO"}, c.Action):
		list = []signing{byPayout}
	case c.Action == "SALE":
		list = []signing{byWhole, byCard, byEmail}
	default:
		list = []signing{byWhole, byCard}
	}
	return slices.DeleteFunc(list, func(row signing) bool { return row.known && !known })
}

// inputsOf returns what the formulas take of a callback and of what is known of its payment.
func inputsOf(c *Callback, known *Payment) signature.Inputs {
	return signature.Inputs{
		PaymentID: c.PaymentID, TransID: c.PaymentID, OrderNumber: c.Order, OrderID: c.Order, Status: c.Status,
		Amount: c.Fields.Get("order_amount"), Currency: c.Fields.Get("order_currency"),
		Description: c.Fields.Get("order_description"), Email: known.Email, Card: known.Card, Body: c.Fields,
	}
}
