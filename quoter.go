package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/store"
)

// Quoter computes the amounts that the kernel does not: value added tax and currency exchange (decisions ab and bm). It
// is called from many goroutines, outside of any store transaction.
type Quoter interface {
	// Quote returns a quote for a charge that is about to be made, and for a payment page that shows the tax. ctx ends
	// after Config.CallTimeout. After an error, a panic or a quote that breaks a rule of Quote, nothing is charged and
	// nothing is stored; a page leaves the line out.
	Quote(ctx context.Context, r QuoteRequest) (Quote, error)
}

// QuoteRequest describes the payment that a quote is for.
type QuoteRequest struct {
	MerchantID string
	Test       bool
	Kind       store.Kind
	Method     string // code of the catalogue; empty while the payer has not chosen
	Order      store.Order
	Amount     store.Amount // exact, in major units of Order.Currency; more than zero
	Country    string       // of the payer's billing address, two letters; empty if unknown
	VAT        bool         // the request asks for the tax (SPEC1, vat_calc)
}

// Quote is what a host computed. Amounts are exact and have no more decimals than their currency.
type Quote struct {
	// VAT is the part of the amount that is tax. The amount contains it and stays as signed. Nil for none, and if the
	// request asks for none.
	VAT *store.Amount
	// VATRate is the rate as people read it, like "19%". At most 32 characters.
	VATRate string
	// Exchange is what the acquirer takes in another currency; nil if it takes the order's own.
	Exchange *Exchange
}

// Exchange is an amount in another currency. The connector gets it with the operation, and callbacks report it.
type Exchange struct {
	Currency string       // ISO 4217 or one of Config.Crypto; different from the order's
	Amount   store.Amount // more than zero
	Rate     string       // decimal text, like "1.0832"
	RateBase string       // the rate to a base currency, if the exchange used one; empty for none
}
