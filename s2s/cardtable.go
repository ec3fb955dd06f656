package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// cardFields are the payer's card, when nothing else pays. The code is not required in MOTO, nor for a saved card
// (decision t).
var cardFields = []field{
	needed(usesCard, "card_number", isPAN), needed(usesCard, "card_exp_month", isMonth),
	needed(usesCard, "card_exp_year", isYear), needed(needsCode, "card_cvv2", isCode),
}

var (
	usesCard  = fields.If("unless card_token or payment_token pays", paysByCard)
	needsCode = fields.If("unless card_token or payment_token pays, or moto_type says by phone or mail",
		func(r *reading) bool { return paysByCard(r) && !r.moto() })
	usesWallet = fields.If("with payment_token, when neither card nor card_token is sent", paysByWallet)
	usesToken  = fields.If("with digital_wallet, when neither card nor card_token is sent", paysByWallet)
)

func paysByWallet(r *reading) bool { return r.instrument() == byWallet }

func paysByCard(r *reading) bool { return r.instrument() == byCard }

var saleFields = slices.Concat(head, []field{channelID},
	orderFields(methods.S2S, isCurrency, isPrice),
	[]field{returnToken, savedCard}, cardFields,
	[]field{needed(usesWallet, "digital_wallet", isWallet),
		document(usesToken, "payment_token").Says("what the wallet gave, as JSON")},
	person{prefix: payer, required: "first_name last_name email phone ip", mapped: true, city: 40, zip: 10}.fields(),
	[]field{
		term, optional("term_url_target", isTarget),
		optional("moto_type", isMOTO), beginChain,
	}, scheduleUse,
	[]field{hold, present, mpiData}, extras, []field{hash})

// scheduleUse are the fields that put a chain on a schedule.
var scheduleUse = []field{
	optional("schedule_id", atMost(255), withChain).Says(fields.SaysSchedule),
	optional("schedule_start_date", isDate, withSchedule),
	optional("payment_schedule_amount", inCurrency(methods.S2S), isPositive, withSchedule),
}

var (
	withChain = fields.Asks(fields.TextNeedsRecurring, func(r *reading, _ string) string {
		return fields.Sound(r.text("recurring_init") == "Y", fields.TextNeedsRecurring)
	})
	withSchedule = fields.Asks(fields.TextNeedsSchedule, func(r *reading, _ string) string {
		return fields.Sound(r.text("schedule_id") != "", fields.TextNeedsSchedule)
	})
	isWallet = fields.Asks("code of a wallet, such as applepay or googlepay", func(r *reading, value string) string {
		method, ok := r.client.Method(value)
		return fields.Sound(ok && method.Kind == methods.KindWallet, fields.TextChoice)
	})
)

var debitFields = slices.Concat(head, []field{channelID},
	orderFields(methods.S2S, isCurrency, isPrice),
	[]field{returnToken, savedCard}, cardFields,
	person{prefix: payer, required: "ip", mapped: true, city: 32, zip: 10}.fields(),
	[]field{
		term, optional("term_url_target", isTarget),
		beginChain,
	}, scheduleUse, []field{present}, extras, []field{hash})

var credit2CardFields = slices.Concat(head, []field{channelID},
	orderFields(methods.S2S, isCurrency, isPositive),
	[]field{
		savedCard, needed(usesCard, "card_number", isPAN),
		needed(beside("card_exp_year"), "card_exp_month", isMonth), needed(beside("card_exp_month"), "card_exp_year", isYear),
	},
	person{prefix: payee, city: 32, zip: 10}.fields(), person{prefix: payer, city: 32, zip: 10}.fields(),
	extras, []field{hash})

// beside is the need of the other half of a pair.
func beside(half string) need {
	return fields.If("with "+half, func(r *reading) bool { return r.text(half) != "" })
}

var card2CardFields = slices.Concat(head, []field{channelID},
	orderFields(methods.S2S, isCurrency, isPositive),
	[]field{
		also(transferCard.number, "payer_card_number", isPAN),
		also(transferCard.month, "payer_card_exp_month", isMonth),
		also(transferCard.year, "payer_card_exp_year", isYear),
		also(transferCard.code, "payer_card_cvv", isCode),
	},
	person{prefix: payer, required: "ip", mapped: true, city: 32, zip: 10}.fields(),
	[]field{required("payee_card_number", isPAN)}, person{prefix: payee, city: 32, zip: 10}.fields(),
	[]field{term, optional("term_url_target", isTarget)}, extras, []field{hash})

// term is where the browser comes back to.
var term = required("term_url_3ds", isURL(1024)).
	Says(fields.SaysBack)

// keepCard is what a merchant has to keep of a payment by card.
const keepCard = "Keep `trans_id`, the payer's e-mail address, and the first six and last four digits of the card: " +
	"follow-ups are signed with them."

// toTerm: S2S CARD has its own name for the return URL.
var toTerm = map[string]string{"return_url": "term_url_3ds"}

// cardCharges are the actions of S2S CARD that make a payment.
var cardCharges = []action{
	{name: "SALE", answers: saleAnswers,
		says:      "Charges a card, a saved card or a wallet.",
		notes:     keepCard,
		protocols: onCard, limit: MaxCreate, fields: saleFields, signed: by(signature.Card1),
		spellings: toTerm,
		run:       charge(newPayment{kind: store.Purchase, action: "SALE", pays: cardSale})},
	{name: "AUTH", answers: saleAnswers,
		says:      "Authorizes a card; CAPTURE takes the money.",
		notes:     keepCard,
		protocols: onCard, limit: MaxCreate, fields: saleFields, signed: by(signature.Card1),
		spellings: toTerm,
		run:       charge(newPayment{kind: store.Purchase, action: "SALE", pays: cardSale})},
	{name: "DEBIT", answers: saleAnswers,
		says:      "Takes money from a card at its bank.",
		notes:     keepCard,
		protocols: onCard, limit: MaxCreate, fields: debitFields, signed: by(signature.Card1),
		spellings: toTerm,
		run:       charge(newPayment{kind: store.Debit, action: "DEBIT", pays: cardSale})},
	{name: "CREDIT2CARD", answers: cardPayoutAnswers,
		says:      "Pays out to a card.",
		protocols: onCard, limit: MaxCreate, fields: credit2CardFields, signed: by(signature.Card5),
		run: charge(newPayment{kind: store.Credit, action: "CREDIT2CARD", pays: cardPayout})},
	{name: "CARD2CARD", answers: transferAnswers,
		says:      "Sends money from one card to another.",
		notes:     keepCard,
		protocols: onCard, limit: MaxCreate, fields: card2CardFields, signed: by(signature.Card1),
		card: &transferCard,
		spellings: map[string]string{
			"return_url": "term_url_3ds", "card_number": "payer_card_number", "card_exp_month": "payer_card_exp_month",
			"card_exp_year": "payer_card_exp_year", "card_cvv2": "payer_card_cvv",
		},
		run: charge(newPayment{kind: store.Transfer, action: "CARD2CARD", pays: cardTransfer})},
}
