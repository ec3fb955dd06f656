package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// brand is the method; its code may be as long as the catalogue's.
var brand = required("brand", atMost(36)).Says(saysBrand)

// apmPayer are the payer's parameters of S2S APM. All are optional except the IP address.
var apmPayer = person{prefix: payer, required: "ip", mapped: true, city: 40, zip: 32}.fields()

// identifier is optional in crypto.
var identifier = needed(unlessCrypto, "identifier", atMost(255)).
	Says("who pays, as the method knows the payer: an e-mail address, a phone number")

var apmSaleFields = slices.Concat(head,
	[]field{
		channelID, network, brand,
		orderID, amountOrOpen(methods.S2S), required("order_currency", isAnyCurrency),
		description, identifier,
	}, apmPayer,
	[]field{
		required("return_url", isURL(1024)).Says(fields.SaysBack), optional("return_url_target", isTarget), hold,
	}, extras, []field{hash})

// payoutFields are the fields of CREDIT2VIRTUAL and CREDIT2CRYPTO.
func payoutFields(pays, currency rule) []field {
	return slices.Concat(head,
		[]field{
			channelID, required("brand", atMost(36), pays).Says(saysBrand), orderID,
			amount(methods.Payout, isPositive), required("order_currency", currency),
			needed(describes, "order_description", atMost(1024)).Says(saysDescription), network,
		},
		person{prefix: payee, city: 40, zip: 32}.fields(), person{prefix: payer, city: 40, zip: 32}.fields(),
		extras, []field{hash})
}

// byCoins and byMoney: each of the two payouts is for its own methods, and their answers differ. Routing rejects
// an unknown brand.
var (
	byCoins = fields.Asks("a method of crypto", func(r *reading, value string) string {
		method, known := r.client.Method(value)
		return fields.Sound(!known || method.Kind == methods.KindCrypto, fields.TextChoice)
	})
	byMoney = fields.Asks("no method of crypto", func(r *reading, value string) string {
		method, _ := r.client.Method(value)
		return fields.Sound(method.Kind != methods.KindCrypto, fields.TextChoice)
	})
)

// describes reports whether a description is required: not for the mobile-money payout (SPEC2), but for all others
// (APM362).
var describes = fields.If("unless brand pays out to mobile money", func(r *reading) bool {
	method, _ := r.client.Method(r.text("brand"))
	return !slices.ContainsFunc(method.Sets, func(u methods.Use) bool { return u.Set == "mobile-money-payout" })
})

var debit2VirtualFields = slices.Concat(head, []field{channelID, brand},
	orderFields(methods.S2S, isAnyCurrency, isPositive), []field{identifier}, apmPayer,
	[]field{required("payer_return_url", isURL(256)).Says(fields.SaysBack), optional("return_url_target", isTarget)},
	extras, []field{hash})

// apmCharges are the actions of S2S APM that make a payment.
var apmCharges = []action{
	{name: "SALE", answers: apmSaleAnswers,
		says:      "Charges an alternative method.",
		protocols: onAPM, limit: MaxCreate, fields: apmSaleFields, signed: by(signature.APMSale),
		run: charge(newPayment{kind: store.Purchase, action: "SALE", pays: apmCharge})},
	{name: "CREDIT2VIRTUAL", answers: payoutAnswers,
		says:      "Pays out by an alternative method.",
		protocols: onAPM, limit: MaxCreate, fields: payoutFields(byMoney, isCurrency),
		signed: by(signature.APMCredit),
		run:    charge(newPayment{kind: store.Credit, action: "CREDIT2VIRTUAL", pays: apmCharge})},
	{name: "CREDIT2CRYPTO", answers: cryptoPayoutAnswers,
		says:      "Pays out in crypto.",
		protocols: onAPM, limit: MaxCreate, fields: payoutFields(byCoins, isAnyCurrency),
		signed: by(signature.APMCredit),
		run:    charge(newPayment{kind: store.Credit, action: "CREDIT2CRYPTO", pays: apmCharge})},
	{name: "DEBIT2VIRTUAL", answers: depositAnswers,
		says:      "Takes a deposit by an alternative method.",
		protocols: onAPM, limit: MaxCreate, fields: debit2VirtualFields, signed: by(signature.APMSale),
		spellings: toPayer,
		run:       charge(newPayment{kind: store.Debit, action: "DEBIT2VIRTUAL", pays: apmCharge})},
	{name: "DEBIT2VIRTUAL_CALC", answers: depositAnswers,
		says:      "Computes the commission of a deposit; DEBIT2VIRTUAL_COMPLETE makes it.",
		protocols: onAPM, limit: MaxCreate, fields: debit2VirtualFields,
		signed:    by(signature.APMSale),
		spellings: toPayer,
		run:       charge(newPayment{kind: store.Debit, action: "DEBIT2VIRTUAL_CALC", calc: true, pays: apmCharge})},
}

// toPayer: a deposit has its own name for the return URL.
var toPayer = map[string]string{"return_url": "payer_return_url"}
