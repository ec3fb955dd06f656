package callback

import (
	"cmp"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// dateTime is the format of times in callbacks and answers, in UTC (callbacks.md, "Body rules").
const dateTime = time.DateTime

// Values that several tables use. A fact that does not exist is "".

func paymentID(e *Event) string     { return e.Payment.ID }
func transactionID(e *Event) string { return e.Transaction.ID }
func orderNumber(e *Event) string   { return e.Payment.Order.Number }
func orderCurrency(e *Event) string { return e.Payment.Order.Currency }
func date(e *Event) string          { return e.Transaction.CreatedAt.UTC().Format(dateTime) }
func cardToken(e *Event) string     { return e.Payment.CardToken }
func recurring(e *Event) string     { return e.Payment.RecurringToken }
func schedule(e *Event) string      { return e.Payment.ScheduleID }
func cardMask(e *Event) string      { return card(e.Payment.Card).Mask }
func cardExpiry(e *Event) string    { return card(e.Payment.Card).Expiry.String() }
func wallet(e *Event) string        { return walletFacts(e).Wallet }
func panType(e *Event) string       { return walletFacts(e).PANType }

func card(facts *store.CardFacts) store.CardFacts {
	if facts == nil {
		return store.CardFacts{}
	}
	return *facts
}

func walletFacts(e *Event) store.WalletFacts {
	if e.Payment.Wallet == nil {
		return store.WalletFacts{}
	}
	return *e.Payment.Wallet
}

// fact returns a function that reads a fact of the transaction.
func fact(value func(*store.Facts) string) func(*Event) string {
	return func(e *Event) string { return value(&e.Transaction.Facts) }
}

// descriptor returns the text that the acquirer put on the payer's statement, or else the one that the request
// asked for.
func descriptor(e *Event) string {
	return cmp.Or(e.Transaction.Facts.Descriptor, e.Payment.Descriptor)
}

func cryptoNetwork(e *Event) string {
	return cmp.Or(e.Transaction.Facts.CryptoNetwork, e.Payment.CryptoNetwork)
}

// exchange returns the parameters of a payment that was captured in another currency than requested.
func exchange(sent when) []row {
	return []row{
		{name: "exchange_rate", when: sent, value: quoted(func(q *store.Quote) string { return q.ExchangeRate })},
		{name: "exchange_rate_base", when: sent, value: quoted(func(q *store.Quote) string { return q.ExchangeRateBase })},
		{name: "exchange_currency", when: sent, value: quoted(func(q *store.Quote) string { return q.ExchangeCurrency })},
		{name: "exchange_amount", when: sent, value: quoted(func(q *store.Quote) string { return q.ExchangeAmount })},
	}
}

// quoted returns a function that reads a value of an exchange: the acquirer's, or else the one that the host
// computed for the charge.
func quoted(value func(*store.Quote) string) func(*Event) string {
	return func(e *Event) string {
		f := &e.Transaction.Facts
		if own := e.Payment.Quote; f.ExchangeCurrency == "" && own != nil && isCharge(e.Transaction.Operation) {
			return value(own)
		}
		return value(&store.Quote{
			ExchangeRate: f.ExchangeRate, ExchangeRateBase: f.ExchangeRateBase,
			ExchangeCurrency: f.ExchangeCurrency, ExchangeAmount: f.ExchangeAmount,
		})
	}
}

// vat returns the tax that the acquirer reported, or else the one that the host computed for the charge.
func vat(e *Event) string {
	if own := e.Payment.Quote; e.Transaction.Facts.VATAmount == "" && own != nil && isCharge(e.Transaction.Operation) {
		return own.VATAmount
	}
	return e.Transaction.Facts.VATAmount
}

// isCharge reports whether an operation captures or authorizes the money of a payment.
func isCharge(op store.Operation) bool {
	switch op {
	case store.OpCapture, store.OpVoid, store.OpRefund, store.OpReversal, store.OpChargeback, store.OpCalc:
		return false
	default:
		return true
	}
}

// customData returns the merchant's own object under a prefix that keeps it apart from our parameters.
func customData(e *Event, name string) []Field { return Flatten(name, e.custom) }
