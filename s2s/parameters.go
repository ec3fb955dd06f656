package s2s

import "github.com/tollgatepay/gateway/methods"

// The parameters at the beginning of every request, and the hash at its end.
var (
	head = []field{required("action"), required("client_key", isName)}
	hash = document(always, "hash")
)

// orderFields are order_id to order_description. zero is the rule for an amount of zero.
func orderFields(format methods.Format, currency, zero rule) []field {
	return []field{
		required("order_id", atMost(255)), amount(format, zero),
		required("order_currency", currency), required("order_description", atMost(1024)),
	}
}

// extras are parameters that every new payment may have.
var extras = []field{freeForm("parameters", maxParameters), freeForm("custom_data", maxCustomData),
	optional("callback_url", isURL(255))}
