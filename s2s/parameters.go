package s2s

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
)

// The parameters at the beginning of every request, and the hash at its end.
var (
	head = []field{required("action"), required("client_key", isName).Says("the merchant's key")}
	hash = document(always, "hash").Says(fields.SaysHash)
)

// Parameters that several actions have.
var (
	channelID   = optional("channel_id", atMost(16)).Says("leads to the MID that has it")
	orderID     = required("order_id", atMost(255)).Says(saysOrder)
	description = required("order_description", atMost(1024)).Says(saysDescription)
	savedCard   = optional("card_token", atMost(64)).Says("of a saved card, which pays")
	returnToken = optional("req_token", isYesNo).Says("Y returns a card token")
	beginChain  = optional("recurring_init", isYesNo).Says("Y begins a chain")
	hold        = optional("auth").Says("Y holds the money until CAPTURE, as AUTH does")
	present     = optional("payer_present", isYesNo).Says("N says that the payer is absent: no 3-D Secure is started")
	network     = optional("crypto_network", atMost(50)).Says("of the coin, such as TRC20")
)

const (
	saysOrder       = "the shop's number of the order"
	saysDescription = "what the payment is for"
	saysBrand       = "code of the method"
)

// orderFields are order_id to order_description. zero is the rule for an amount of zero.
func orderFields(format methods.Format, currency, zero rule) []field {
	return []field{
		orderID, amount(format, zero), required("order_currency", currency), description,
	}
}

// extras are parameters that every new payment may have.
var extras = []field{freeForm("parameters", maxParameters), freeForm("custom_data", maxCustomData),
	optional("callback_url", isURL(255))}
