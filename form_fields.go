package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// field is one row of the session table: where the value stands in the request, under which path the
// caller knows it, and the rules it has to keep when it is there. A row without value is no single
// text; it has a function of its own (form.whole) and stands here for its place.
type field struct {
	path     string
	value    func(*SessionRequest) string
	needed   need
	min, max int    // characters; 0 for no bound
	rule     rule   // further rule; nil for any text
	text     string // what to say when rule fails
}

// need decides whether a field has to be there.
type need func(*SessionRequest) bool

func always(*SessionRequest) bool { return true }

func never(*SessionRequest) bool { return false }

// fromNothing: scheduled payments need an amount of their own where the first one takes nothing.
func fromNothing(r *SessionRequest) bool {
	return r.Extra.ScheduleID != "" && fields.IsZero(r.Order.Amount)
}

// hosted and notHosted: with Hosted Payment Fields the payer comes back to return_url (SPEC1, Endpoints).
func hosted(r *SessionRequest) bool { return r.Hosted }

func notHosted(r *SessionRequest) bool { return !r.Hosted }

// onPayout: a recipient is named where money goes to one (SPEC1, payee.name).
func onPayout(r *SessionRequest) bool {
	return !r.Hosted && (r.Operation == string(store.Transfer) || r.Operation == string(store.Credit))
}

// sessionFields is the table of SPEC1, "Checkout session request", in the order in which CO662's
// sample reports faults; every answer keeps that order.
var sessionFields = []field{
	{"merchant_key", func(r *SessionRequest) string { return r.MerchantKey }, always, 0, 0, isKey, fields.TextInvalid},
	{"operation", func(r *SessionRequest) string { return r.Operation }, always, 0, 0, isOperation, fields.TextChoice},
	{path: "methods"},
	{"order.number", func(r *SessionRequest) string { return r.Order.Number }, always, 3, 255, nil, ""},
	{path: "order.amount"},
	{"order.currency", func(r *SessionRequest) string { return r.Order.Currency }, always, 0, 0, isCurrency, fields.TextInvalid},
	{"order.description", func(r *SessionRequest) string { return r.Order.Description }, always, 2, 1024, nil, ""},
	{"cancel_url", func(r *SessionRequest) string { return r.CancelURL }, never, 0, 0, isURL, fields.TextURL},
	{"return_url", func(r *SessionRequest) string { return r.ReturnURL }, hosted, 0, 0, isURL, fields.TextURL},
	{"success_url", func(r *SessionRequest) string { return r.SuccessURL }, notHosted, 0, 0, isURL, fields.TextURL},
	{"expiry_url", func(r *SessionRequest) string { return r.ExpiryURL }, never, 0, 0, isURL, fields.TextURL},
	{"error_url", func(r *SessionRequest) string { return r.ErrorURL }, never, 0, 0, isURL, fields.TextURL},
	{"url_target", func(r *SessionRequest) string { return r.URLTarget }, never, 0, 0, oneOf("_self", "_parent", "_top"), fields.TextChoice},
	{path: "session_expiry"},
	{"channel_id", func(r *SessionRequest) string { return r.ChannelID }, never, 0, 16, nil, ""},

	{"customer.name", func(r *SessionRequest) string { return r.Customer.Name }, never, 0, 0, isLatin(2, maxName), "only Latin basic letters, 2..200"},
	{"customer.email", func(r *SessionRequest) string { return r.Customer.Email }, never, 2, 255, isEmail, fields.TextInvalid},
	{"customer.birth_date", func(r *SessionRequest) string { return r.Customer.BirthDate }, never, 0, 0, isBirthDate, "must be a date of the past, yyyy-mm-dd"},
	{"customer.ip", func(r *SessionRequest) string { return r.Customer.IP }, never, 0, 0, tagged("ip"), fields.TextInvalid},

	{"billing_address.country", func(r *SessionRequest) string { return r.Billing.Country }, never, 0, 0, isCountry, fields.TextInvalid},
	{"billing_address.state", func(r *SessionRequest) string { return fields.StateOf(r.Billing) }, never, 0, 0, stateIn(func(r *SessionRequest) string { return r.Billing.Country }), fields.TextState},
	{"billing_address.city", func(r *SessionRequest) string { return r.Billing.City }, never, 2, 40, nil, ""},
	{"billing_address.address", func(r *SessionRequest) string { return r.Billing.Address }, never, 2, 255, nil, ""},
	{"billing_address.house_number", func(r *SessionRequest) string { return r.Billing.HouseNumber }, never, 1, 9, isHouseNumber, fields.TextInvalid},
	{"billing_address.zip", func(r *SessionRequest) string { return r.Billing.Zip }, never, 2, 10, nil, ""},
	{"billing_address.phone", func(r *SessionRequest) string { return r.Billing.Phone }, never, 1, 32, made("0123456789+()-"), "only digits and +()-"},
	{"billing_address.phone_country_code", func(r *SessionRequest) string { return r.Billing.PhoneCountryCode }, never, 1, 10, isPhoneCode, "only digits, with a hyphen for composite codes"},
	{"billing_address.district", func(r *SessionRequest) string { return r.Billing.District }, never, 2, 32, nil, ""},
	{"billing_address.language", func(r *SessionRequest) string { return r.Language }, never, 0, 1024, nil, ""},

	{path: "parameters"},
	{path: "custom_data"},
	{path: "auth"},
	{path: "req_token"},
	{path: "card_token"},
	{path: "recurring_init"},
	{path: "vat_calc"},

	{"schedule_id", func(r *SessionRequest) string { return r.Extra.ScheduleID }, never, 0, 255, withRecurring, "needs recurring_init"},
	{"schedule_start_date", func(r *SessionRequest) string { return r.Extra.ScheduleStartDate }, never, 0, 0, isStartDate, "needs schedule_id and a date from today on, within ten years, YYYY-MM-DD"},
	{"payment_schedule_amount", func(r *SessionRequest) string { return r.Extra.PaymentScheduleAmount }, fromNothing, 0, 0, isScheduleAmount, "needs schedule_id and an amount greater than 0 in the format of the currency"},
	{path: "moto_type"},
	{"crypto.network", func(r *SessionRequest) string { return r.Extra.CryptoNetwork }, never, 0, 50, nil, ""},
	{"form_id", func(r *SessionRequest) string { return r.Extra.FormID }, never, 0, 0, tagged("uuid"), fields.TextInvalid},

	{path: "payee"},
	{"payee.name", func(r *SessionRequest) string { return payee(r).Name }, onPayout, 0, 0, isLatin(2, 32), "only Latin basic letters, 2..32"},
	{"payee.email", func(r *SessionRequest) string { return payee(r).Email }, never, 2, 255, isEmail, fields.TextInvalid},
	{"payee_billing_address.country", func(r *SessionRequest) string { return r.PayeeBilling.Country }, never, 0, 0, isCountry, fields.TextInvalid},
	{"payee_billing_address.state", func(r *SessionRequest) string { return fields.StateOf(r.PayeeBilling) }, never, 0, 0, stateIn(func(r *SessionRequest) string { return r.PayeeBilling.Country }), fields.TextState},
	{"payee_billing_address.city", func(r *SessionRequest) string { return r.PayeeBilling.City }, never, 2, 40, nil, ""},
	{"payee_billing_address.address", func(r *SessionRequest) string { return r.PayeeBilling.Address }, never, 2, 255, nil, ""},
	{"payee_billing_address.house_number", func(r *SessionRequest) string { return r.PayeeBilling.HouseNumber }, never, 1, 9, isHouseNumber, fields.TextInvalid},
	{"payee_billing_address.zip", func(r *SessionRequest) string { return r.PayeeBilling.Zip }, never, 2, 10, nil, ""},
	{"payee_billing_address.phone", func(r *SessionRequest) string { return r.PayeeBilling.Phone }, never, 1, 32, made("0123456789+()-"), "only digits and +()-"},
	{"payee_billing_address.phone_country_code", func(r *SessionRequest) string { return r.PayeeBilling.PhoneCountryCode }, never, 1, 10, isPhoneCode, "only digits, with a hyphen for composite codes"},
	{"payee_billing_address.district", func(r *SessionRequest) string { return r.PayeeBilling.District }, never, 2, 32, nil, ""},
	{path: "hash"},
}

// numbersOf are the rows whose values are numbers and names of records, among which a card's digits stand by
// chance, and URLs. Every other text is free text, and holds no card number (decision ba).
var numbersOf = []string{
	"merchant_key", "order.number", "cancel_url", "return_url", "success_url", "expiry_url", "error_url", "channel_id",
	"schedule_id", "form_id", "billing_address.phone", "payee_billing_address.phone", "hash",
}

func payee(r *SessionRequest) store.Payer {
	if r.Extra.Payee == nil {
		return store.Payer{}
	}
	return *r.Extra.Payee
}

// withState is a person without a state that does not count.
func withState(p store.Payer) store.Payer {
	p.Address.State = fields.StateOf(p.Address)
	return p
}
