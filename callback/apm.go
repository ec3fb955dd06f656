package callback

import (
	"net/url"
	"slices"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// Groups of S2S APM actions with the same callbacks.
var (
	apmSale      = []string{sale}
	apmDebits    = []string{debit2Virtual, debitCalc}
	apmCharges   = []string{sale, debit2Virtual, debitCalc}
	apmPayouts   = []string{credit2Virtual, credit2Crypto}
	cryptoPayout = []string{credit2Crypto}
)

// apmFields is the table of s2s_apm.md: the callbacks of every action, with their parameters by result, in the
// order of the samples. CAPTURE and CHARGEBACK are the same as on S2S CARD.
var apmFields = slices.Concat([]row{
	{name: "action", when: always, value: s2sAction},
	{name: "result", when: always, value: s2sResult},
	{name: "status", when: always, value: s2sStatus},
	{name: "order_id", when: always, value: orderNumber},
	{name: "trans_id", when: always, value: paymentID},
	{name: hash, when: always, value: unsigned},
	{name: "trans_date", when: either(on(apmCharges), on(apmPayouts), on(captures, success, undefined), on(voids)), value: date},
	{name: "creditvoid_date", when: on(creditvoids, success, undefined, waiting), value: date},
	{name: "descriptor", when: either(on(apmSale, started, success, declined, undefined), on(cryptoPayout), on(captures, success, undefined)), value: descriptor},
	{name: "amount", when: either(on(apmCharges), on(apmPayouts), on(captures, success, undefined), on(creditvoids, success, undefined, waiting), on(chargebacks)), value: amount},
	{name: "currency", when: either(on(apmCharges), on(apmPayouts), on(captures, success, undefined)), value: orderCurrency},
	{name: "commission", when: on(apmDebits), value: fact(func(f *store.Facts) string { return f.Commission })},
	{name: "total_amount", when: on(apmDebits), value: fact(func(f *store.Facts) string { return f.TotalAmount })},
	{name: "decline_reason", when: either(on(apmCharges, declined), on(apmPayouts, declined), on(captures, declined), on(creditvoids, declined), on(voids, declined)), value: declineReason},
	{name: "creditvoid_id", when: on(creditvoids), value: transactionID},
},
	exchange(on(apmSale, success)),
	next(on(apmCharges, redirect)),
	dispute(),
	[]row{
		{name: "custom_data", when: either(on(apmCharges, success, declined, redirect), on(apmPayouts, success, declined)), tree: customData},
	},
	extended(succeededOnly),
	additions)

// signAPM signs the whole body. Exceptions are payouts, and a SALE in crypto when the mapping says so (decision
// bv).
func signAPM(e *Event, fields []Field) string {
	formula, inputs := signature.APMCallback, signature.Inputs{
		Email: e.Payment.Payer.Email, TransID: e.Payment.ID, OrderID: e.Payment.Order.Number, Status: s2sStatus(e),
	}
	switch {
	case slices.Contains(apmPayouts, e.action):
		formula = signature.APMCreditCallback
	case e.action == sale && e.Crypto && e.Mapping.CryptoSaleSignature == store.SignedByEmail:
		formula = signature.APMCryptoCallback
	default:
		inputs.Body = url.Values{}
		for _, f := range fields {
			inputs.Body.Add(f.Name, f.Value)
		}
	}
	return signature.Sign(formula, Mode(e.Mapping), inputs, e.Merchant.Password.Reveal())
}
