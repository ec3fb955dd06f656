package callback

import (
	"slices"

	"github.com/tollgatepay/gateway/callback/signature"
)

// Groups of S2S CARD actions with the same callbacks: RECURRING_DEBIT is reported like RECURRING_SALE, and DEBIT
// and CARD2CARD like SALE.
var (
	cardSales   = []string{sale, recurringSale, debit, recurringDebit}
	cardCharges = []string{sale, recurringSale, debit, recurringDebit, card2Card}
	payout      = []string{credit2Card}
	captures    = []string{capture}
	creditvoids = []string{creditvoid}
	voids       = []string{void}
	chargebacks = []string{chargeback}
)

// cardFields is the table of s2s_card.md: the callbacks of every action, with their parameters by result,
// in the order of the samples.
var cardFields = slices.Concat([]row{
	{name: "action", when: always, value: s2sAction},
	{name: "result", when: always, value: s2sResult},
	{name: "status", when: always, value: s2sStatus},
	{name: "order_id", when: always, value: orderNumber},
	{name: "trans_id", when: always, value: paymentID},
	{name: "decline_reason", when: on(payout, declined), value: declineReason}, // before the hash, as in the sample
	{name: hash, when: always, value: unsigned},
	{name: "trans_date", when: either(on(cardCharges), on(payout), on(captures, success, undefined), on(voids)), value: date},
	{name: "creditvoid_date", when: on(creditvoids, success, undefined, waiting), value: date},
	{name: "descriptor", when: either(on(cardCharges, success, redirect, undefined), on(captures, success, undefined), on(payout, success, undefined)), value: descriptor},
	{name: "amount", when: either(on(cardCharges, success, redirect, undefined), on(captures, success, undefined), on(creditvoids, success, undefined, waiting), on(chargebacks)), value: amount},
	{name: "currency", when: either(on(cardCharges, success, redirect, undefined), on(captures, success, undefined)), value: orderCurrency},
	{name: "decline_reason", when: either(on(cardCharges, declined), on(captures, declined), on(creditvoids, declined), on(voids, declined)), value: declineReason},
	{name: "creditvoid_id", when: on(creditvoids), value: transactionID},
	{name: "recurring_token", when: either(on(cardSales, success), given("CAPTURE with SUCCESS that begins a chain", beginsChain)), value: recurring},
	{name: "schedule_id", when: either(on(cardSales, success), given("CAPTURE with SUCCESS that begins a chain", beginsChain)), value: schedule},
	{name: "card_token", when: on(cardSales, success), value: cardToken},
	{name: "card", when: on(cardSales, success), value: cardMask},
	{name: "card_expiration_date", when: on(cardSales, success), value: cardExpiry},
},
	exchange(on(cardSales, success)),
	next(on(cardCharges, redirect)),
	dispute(),
	[]row{
		{name: "custom_data", when: either(on(cardCharges), on(payout)), tree: customData},
		{name: "digital_wallet", when: on(cardSales), value: wallet},
		{name: "pan_type", when: on(cardSales), value: panType},
	},
	extended(succeededOnly),
	additions)

// signCard signs by Formula 2, and a CREDIT2CARD by Formula 6. The card of a CARD2CARD is the payer's.
func signCard(e *Event, _ []Field) string {
	formula := signature.Card2
	if e.action == credit2Card {
		formula = signature.Card6
	}
	return signature.Sign(formula, Mode(e.Mapping), signature.Inputs{
		Email: e.Payment.Payer.Email, TransID: e.Payment.ID, Card: cardSent(e),
	}, e.Merchant.Password.Reveal())
}

// cardSent returns the card as the merchant sent it. A wallet's token has none, and an optional input that was not
// sent is left out (s2s_card.md, "Rules").
func cardSent(e *Event) string {
	if e.Payment.Wallet != nil || e.Payment.OfWallet {
		return ""
	}
	return cardMask(e)
}

// beginsChain reports whether the capture of a first payment begins its chain (decision ar).
func beginsChain(e *Event) bool {
	return e.action == capture && e.result == success && e.Payment.RecurringInit
}
