package s2s

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
)

// The parameters at the beginning of every request, and the hash at its end.
var (
	head = []field{required("action"), said(required("client_key", isName), "the merchant's key")}
	hash = said(document(always, "hash"), fields.SaysHash)
)

// Parameters that several actions have.
var (
	channelID   = said(optional("channel_id", atMost(16)), "leads to the MID that has it")
	orderID     = said(required("order_id", atMost(255)), saysOrder)
	description = said(required("order_description", atMost(1024)), saysDescription)
	savedCard   = said(optional("card_token", atMost(64)), "of a saved card, which pays")
	returnToken = said(optional("req_token", isYesNo), "Y returns a card token")
	beginChain  = said(optional("recurring_init", isYesNo), "Y begins a chain")
	hold        = said(optional("auth"), "Y holds the money until CAPTURE, as AUTH does")
	present     = said(optional("payer_present", isYesNo), "N says that the payer is absent: no 3-D Secure is started")
	network     = said(optional("crypto_network", atMost(50)), "of the coin, such as TRC20")
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
