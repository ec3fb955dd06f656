package signature

// Formula names one way to compute a hash. The zero Formula names none: Sign returns "" for it and Verify false.
type Formula uint8

// The formulas. Those of Checkout (checkout.md, "Hash formulas") give 40 hex digits in both modes, the others 32 with
// MD5 and 64 with SHA256.
const (
	// CheckoutSession signs a session request of any operation and an HPF token request:
	// sha1(H(upper(OrderNumber . Amount . Currency . Description . password))).
	// A crypto purchase whose payer chooses the amount has none.
	CheckoutSession Formula = iota + 1
	// CheckoutCredit signs a card credit:
	// sha1(H(upper(OrderID . Amount . Currency . Description . password))).
	CheckoutCredit
	// CheckoutPayment signs a status by payment_id, a void and a retry:
	// sha1(H(upper(PaymentID . password))).
	CheckoutPayment
	// CheckoutOrder signs a status by order_id: sha1(H(upper(OrderID . password))).
	CheckoutOrder
	// CheckoutAmount signs a capture and a refund: sha1(H(upper(PaymentID . Amount . password))).
	CheckoutAmount
	// CheckoutRecurring signs a recurring payment; it has no currency:
	// sha1(H(upper(RecurringInitTransID . RecurringToken . OrderNumber . Amount . Description . password))).
	CheckoutRecurring
	// CheckoutCallback signs every Checkout callback and every return link: sha1(H(upper(PaymentID . OrderNumber .
	// Amount . Currency . Description . password))). A return link has neither amount nor currency nor description:
	// take them from the order.
	CheckoutCallback

	// S2S CARD (s2s_card.md, "Hash formulas"). 32 hex digits, 64 in SHA256 mode. A follow-up is signed with the
	// e-mail and the card of its payment.

	// Card1 signs SALE, AUTH, DEBIT, CARD2CARD, RECURRING_SALE and RETRY:
	// H(upper(rev(Email) . password . rev(card))).
	Card1
	// Card1Token is Card1 of a request with card_token: H(upper(rev(Email) . password . rev(CardToken))).
	Card1Token
	// Card2 signs CAPTURE, CREDITVOID, VOID, GET_TRANS_STATUS, GET_TRANS_DETAILS, and every callback but
	// that of CREDIT2CARD: H(upper(rev(Email) . password . TransID . rev(card))).
	Card2
	// Card3 signs CREATE_SCHEDULE: H(upper(rev(password))).
	Card3
	// Card4 signs the other schedule actions: H(upper(rev(ScheduleID . password))).
	Card4
	// Card5 signs CREDIT2CARD: H(upper(password . rev(card))).
	Card5
	// Card5Token is Card5 of a request with card_token: H(upper(password . rev(CardToken))).
	Card5Token
	// Card6 signs the callback of a CREDIT2CARD, and GET_TRANS_STATUS and GET_TRANS_DETAILS of one:
	// H(upper(password . TransID . rev(card))).
	Card6
	// Card7 signs GET_TRANS_STATUS_BY_ORDER: H(upper(rev(Email) . password . OrderID . rev(card))).
	// A CREDIT2CARD has no e-mail.
	Card7
	// Card8 signs a SALE by wallet (payment_token): H(upper(rev(Email) . password)).
	Card8

	// S2S APM (s2s_apm.md, "Hash formulas"). 32 hex digits, 64 in SHA256 mode.

	// APMSale signs SALE, DEBIT2VIRTUAL and DEBIT2VIRTUAL_CALC:
	// H(upper(rev(Identifier . OrderID . Amount . Currency . password))).
	// A crypto SALE may lack identifier and amount.
	APMSale
	// APMCreditvoid signs CREDITVOID: H(upper(rev(TransID . password))).
	APMCreditvoid
	// APMTrans signs VOID, CAPTURE, GET_TRANS_STATUS and DEBIT2VIRTUAL_COMPLETE: H(upper(rev(TransID)) . password).
	// SPEC2 gives it for CAPTURE, VOID and GET_TRANS_STATUS of any payment, so it is accepted on card payments too,
	// in addition to Card2 (decision a; see VerifyAny).
	APMTrans
	// APMCredit signs CREDIT2VIRTUAL and CREDIT2CRYPTO:
	// H(upper(rev(OrderID . Amount . Currency)) . password).
	APMCredit
	// APMCreditCallback signs the callbacks of those two:
	// H(upper(rev(TransID . OrderID . Status)) . password).
	APMCreditCallback
	// APMCryptoCallback signs the callback of a crypto SALE: H(upper(rev(Email) . password . TransID)).
	APMCryptoCallback
	// APMCallback signs every other APM callback, over all of its Body:
	// H(upper(rev(value) . rev(value) ... . password)), with the values in the order of their names.
	APMCallback
)

// String returns the name of the formula in the table, such as "checkout-session".
func (f Formula) String() string {
	if r := f.row(); r != nil {
		return r.name
	}
	return "unknown"
}

// Mode is the digest that a merchant's Protocol Mapping selects ("Use SHA256 encryption algorithm for hash").
type Mode uint8

const (
	MD5    Mode = iota // the default
	SHA256             // instead of MD5; the SHA-1 of Checkout stays
)
