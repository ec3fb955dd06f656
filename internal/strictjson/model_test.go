package strictjson_test

// plainSession is the part of session that encoding/json reads by the same rules.
type plainSession struct {
	MerchantKey   string    `json:"merchant_key"`
	Operation     string    `json:"operation"`
	Methods       []string  `json:"methods"`
	RecurringInit *bool     `json:"recurring_init"`
	Consent       bool      `json:"consent"`
	SuccessURL    string    `json:"success_url"`
	CancelURL     string    `json:"cancel_url"`
	ErrorURL      *string   `json:"error_url"`
	CardToken     []string  `json:"card_token"`
	Order         order     `json:"order"`
	Customer      *customer `json:"customer"`
	Billing       *address  `json:"billing_address"`
	Items         []item    `json:"items"`
	Hash          string    `json:"hash"`
}

func plain(s session) plainSession {
	return plainSession{
		s.MerchantKey, s.Operation, s.Methods, s.RecurringInit, s.Consent, s.SuccessURL, s.CancelURL, s.ErrorURL,
		s.CardToken, s.Order, s.Customer, s.Billing, s.Items, s.Hash,
	}
}

var (
	addressKeys = map[string]any{"country": nil, "state": nil, "city": nil, "address": nil, "zip": nil, "phone": nil}
	sessionKeys = map[string]any{
		"merchant_key": nil, "operation": nil, "methods": nil, "recurring_init": nil, "consent": nil,
		"success_url": nil, "cancel_url": nil, "error_url": nil, "card_token": nil, "hash": nil,
		"order":           map[string]any{"number": nil, "amount": nil, "currency": nil, "description": nil},
		"customer":        map[string]any{"name": nil, "email": nil, "birth_date": nil},
		"billing_address": addressKeys,
		"items":           map[string]any{"name": nil, "paid": nil},
	}
)

// onlyExact drops every key that is not, byte for byte, one of the plain session's.
func onlyExact(object map[string]any) any { return exact(object, sessionKeys) }

// containers are the optional fields for which an empty value of any shape counts as absent (decision ap).
var containers = map[string]string{"methods": "list", "card_token": "list", "items": "list", "customer": "object",
	"billing_address": "object"}

// emptied reports a value that encoding/json would refuse for its shape, or keep as an empty value that was sent.
func emptied(key string, v any) bool {
	shape, known := containers[key]
	switch v := v.(type) {
	case string:
		return known && v == ""
	case []any:
		return known && shape == "object" && len(v) == 0
	case map[string]any:
		return known && shape == "list" && len(v) == 0
	}
	return false
}

func exact(v any, keys any) any {
	names, _ := keys.(map[string]any)
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, member := range v {
			if inner, known := names[key]; known && !emptied(key, member) {
				kept[key] = exact(member, inner)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = exact(v[i], keys)
		}
		return kept
	}
	return v
}
