package s2s

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

// spellings maps the gateway's field names to those of S2S.
var spellings = map[string]string{
	"merchant_key":                       "client_key",
	"operation":                          "action",
	"order.number":                       "order_id",
	"order.amount":                       "order_amount",
	"order.currency":                     "order_currency",
	"order.description":                  "order_description",
	"customer.name":                      "payer_first_name",
	"customer.email":                     "payer_email",
	"customer.birth_date":                "payer_birth_date",
	"customer.ip":                        "payer_ip",
	"billing_address.country":            "payer_country",
	"billing_address.state":              "payer_state",
	"billing_address.city":               "payer_city",
	"billing_address.address":            "payer_address",
	"billing_address.house_number":       "payer_house_number",
	"billing_address.zip":                "payer_zip",
	"billing_address.phone":              "payer_phone",
	"billing_address.phone_country_code": "payer_phone_country_code",
	"billing_address.district":           "payer_district",
	"billing_address.language":           "payer_language",
	"payee.name":                         "payee_first_name",
	"payee.email":                        "payee_email",
	"payee_billing_address.country":      "payee_country",
	"payee_billing_address.state":        "payee_state",
	"payee_billing_address.city":         "payee_city",
	"payee_billing_address.address":      "payee_address",
	"payee_billing_address.zip":          "payee_zip",
	"payee_billing_address.phone":        "payee_phone",
	"methods":                            "brand",
	"method":                             "brand",
	"crypto.network":                     "crypto_network",
	"expiry":                             "card_exp_month",
	"code":                               "card_cvv2",
	"cvv":                                "card_cvv2",
	"cancel_url":                         "return_url",
	"payment_id":                         "trans_id",
	"recurring_init_trans_id":            "recurring_first_trans_id",
}

// spelled translates the field names of a refusal into the action's. A name that the action itself has stays.
func (a *action) spelled(form bracketform.Form, e *gateway.Error) *gateway.Error {
	if len(e.Faults()) == 0 {
		return e
	}
	faults := make([]gateway.Fault, len(e.Faults()))
	for i, fault := range e.Faults() {
		faults[i] = gateway.Fault{Path: form.Spell(a.spell(fault.Path)), Text: fault.Text}
	}
	return e.Fields(faults...)
}

func (a *action) spell(path string) string {
	if path == "amount" && !a.has("amount") {
		path = "order.amount"
	}
	if other, ok := spellings[path]; ok {
		path = other
	}
	if other, ok := a.spellings[path]; ok {
		path = other
	}
	return path
}
