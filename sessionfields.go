package gateway

import (
	"github.com/tollgatepay/gateway/store"
)

// The texts of refused fields (errors.md, "Field-validation messages"). The two for lengths are ours,
// in the same manner.
const (
	textBlank    = "This value should not be blank."
	textChoice   = "The value you selected is not a valid choice."
	textPositive = "This value should be greater than 0."
	textInvalid  = "This value is not valid."
	textURL      = "This value is not a valid URL."
)

// field is one row of the session table: where the value stands in the request, under which path the
// caller knows it, and the rules it has to keep when it is there.
type field struct {
	path     string
	value    func(*SessionRequest) string
	required bool
	min, max int    // characters; 0 for no bound
	rule     rule   // further rule; nil for any text
	text     string // what to say when rule fails
}

// rule decides about a value that is present. It may look at the rest of the request.
type rule func(f *form, r *SessionRequest, value string) bool

// sessionFields is the table of SPEC1, "Checkout session request", in the order in which CO662's
// sample reports faults. The amount has rules of its own (amountFaults).
var sessionFields = []field{
	{"merchant_key", func(r *SessionRequest) string { return r.MerchantKey }, true, 0, 255, nil, ""},
	{"operation", func(r *SessionRequest) string { return r.Operation }, true, 0, 0, isOperation, textChoice},
	{"order.number", func(r *SessionRequest) string { return r.Order.Number }, true, 3, 255, nil, ""},
	{"order.currency", func(r *SessionRequest) string { return r.Order.Currency }, true, 0, 0, isCurrency, textInvalid},
	{"order.description", func(r *SessionRequest) string { return r.Order.Description }, true, 2, 1024, nil, ""},
	{"cancel_url", func(r *SessionRequest) string { return r.CancelURL }, false, 0, 0, isURL, textURL},
	{"success_url", func(r *SessionRequest) string { return r.SuccessURL }, true, 0, 0, isURL, textURL},
	{"expiry_url", func(r *SessionRequest) string { return r.ExpiryURL }, false, 0, 0, isURL, textURL},
	{"error_url", func(r *SessionRequest) string { return r.ErrorURL }, false, 0, 0, isURL, textURL},
	{"url_target", func(r *SessionRequest) string { return r.URLTarget }, false, 0, 0, oneOf("_self", "_parent", "_top"), textChoice},
	{"channel_id", func(r *SessionRequest) string { return r.ChannelID }, false, 0, 16, nil, ""},

	{"customer.name", func(r *SessionRequest) string { return r.Customer.Name }, false, 2, 200, isLatin, "only Latin basic letters, 2..200"},
	{"customer.email", func(r *SessionRequest) string { return r.Customer.Email }, false, 2, 255, isEmail, textInvalid},
	{"customer.birth_date", func(r *SessionRequest) string { return r.Customer.BirthDate }, false, 0, 0, isBirthDate, "must be a date of the past, yyyy-mm-dd"},
	{"customer.ip", func(r *SessionRequest) string { return r.Customer.IP }, false, 0, 0, tagged("ip"), textInvalid},

	{"billing_address.country", func(r *SessionRequest) string { return r.Billing.Country }, false, 0, 0, isCountry, textInvalid},
	{"billing_address.state", func(r *SessionRequest) string { return stateOf(r.Billing) }, false, 2, 32, isState, "must be the 2-letter code of a state of the country"},
	{"billing_address.city", func(r *SessionRequest) string { return r.Billing.City }, false, 2, 40, nil, ""},
	{"billing_address.address", func(r *SessionRequest) string { return r.Billing.Address }, false, 2, 255, nil, ""},
	{"billing_address.house_number", func(r *SessionRequest) string { return r.Billing.HouseNumber }, false, 1, 9, isHouseNumber, textInvalid},
	{"billing_address.zip", func(r *SessionRequest) string { return r.Billing.Zip }, false, 2, 10, nil, ""},
	{"billing_address.phone", func(r *SessionRequest) string { return r.Billing.Phone }, false, 1, 32, made("0123456789+()-"), "only digits and +()-"},
	{"billing_address.phone_country_code", func(r *SessionRequest) string { return r.Billing.PhoneCountryCode }, false, 1, 10, isPhoneCode, "only digits, with a hyphen for composite codes"},
	{"billing_address.district", func(r *SessionRequest) string { return r.Billing.District }, false, 2, 32, nil, ""},
	{"billing_address.language", func(r *SessionRequest) string { return r.Language }, false, 0, 1024, nil, ""},

	{"schedule_id", func(r *SessionRequest) string { return r.Extra.ScheduleID }, false, 0, 255, withRecurring, "needs recurring_init"},
	{"schedule_start_date", func(r *SessionRequest) string { return r.Extra.ScheduleStartDate }, false, 0, 0, isStartDate, "needs schedule_id and a date from today, YYYY-MM-DD"},
	{"payment_schedule_amount", func(r *SessionRequest) string { return r.Extra.PaymentScheduleAmount }, false, 0, 0, isScheduleAmount, "needs schedule_id and an amount greater than 0 in the format of the currency"},
	{"moto_type", func(r *SessionRequest) string { return r.Extra.MOTOType }, false, 0, 0, oneOf("phone_moto", "email_moto", "default_moto", "ecommerce"), textChoice},
	{"crypto.network", func(r *SessionRequest) string { return r.Extra.CryptoNetwork }, false, 0, 50, nil, ""},
	{"form_id", func(r *SessionRequest) string { return r.Extra.FormID }, false, 0, 0, tagged("uuid"), textInvalid},

	{"payee.name", func(r *SessionRequest) string { return payee(r).Name }, false, 2, 32, isLatin, "only Latin basic letters, 2..32"},
	{"payee.email", func(r *SessionRequest) string { return payee(r).Email }, false, 2, 255, isEmail, textInvalid},
	{"payee_billing_address.country", func(r *SessionRequest) string { return r.PayeeBilling.Country }, false, 0, 0, isCountry, textInvalid},
	{"payee_billing_address.city", func(r *SessionRequest) string { return r.PayeeBilling.City }, false, 2, 40, nil, ""},
	{"payee_billing_address.address", func(r *SessionRequest) string { return r.PayeeBilling.Address }, false, 2, 255, nil, ""},
	{"payee_billing_address.house_number", func(r *SessionRequest) string { return r.PayeeBilling.HouseNumber }, false, 1, 9, isHouseNumber, textInvalid},
	{"payee_billing_address.zip", func(r *SessionRequest) string { return r.PayeeBilling.Zip }, false, 2, 10, nil, ""},
	{"payee_billing_address.phone", func(r *SessionRequest) string { return r.PayeeBilling.Phone }, false, 1, 32, made("0123456789+()-"), "only digits and +()-"},
}

func payee(r *SessionRequest) store.Payer {
	if r.Extra.Payee == nil {
		return store.Payer{}
	}
	return *r.Extra.Payee
}

// stateOf is the state where it counts: for US, CA, AU, JP and IN only, elsewhere it is dropped
// (decision af).
func stateOf(a store.Address) string {
	if _, counts := statesCount[a.Country]; !counts {
		return ""
	}
	return a.State
}

var statesCount = map[string]struct{}{"US": {}, "CA": {}, "AU": {}, "JP": {}, "IN": {}}
