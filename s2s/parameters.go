package s2s

import "github.com/tollgatepay/gateway/methods"

// Parameters that begin every request, and the hash that ends it.
var (
	head = []field{required("action"), required("client_key", isName)}
	hash = document(always, "hash")
)

// orderFields are order_id to order_description. zero is what an amount of nothing comes to.
func orderFields(format methods.Format, currency, zero rule) []field {
	return []field{
		required("order_id", atMost(255)), amount(format, zero),
		required("order_currency", currency), required("order_description", atMost(1024)),
	}
}

// extras are parameters that may come with every new payment.
var extras = []field{freeForm("parameters", maxParameters), freeForm("custom_data", maxCustomData),
	optional("callback_url", isURL(255))}
