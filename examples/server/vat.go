package main

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/examples/server/shop"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// vat is the demo's quoter: the standard rate of the payer's country. The prices of the shop include the tax. A
// gateway computes no tax by itself: the law of the host's merchants decides how a tax is rounded.
type vat struct{ currencies *methods.Currencies }

// Quote returns the tax for a country whose rate the demo knows, and none for others.
func (v vat) Quote(_ context.Context, r gateway.QuoteRequest) (gateway.Quote, error) {
	percent, taxed := shop.VATRate(r.Country)
	currency, known := v.currencies.Lookup(r.Order.Currency)
	if !r.VAT || !taxed || !known {
		return gateway.Quote{}, nil
	}
	rate := decimal.NewFromInt(int64(percent))
	part := r.Amount.Decimal().Mul(rate).DivRound(rate.Add(decimal.NewFromInt(100)), int32(currency.Exponent))
	amount, err := store.ParseAmount(part.StringFixed(int32(currency.Exponent)))
	if err != nil {
		return gateway.Quote{}, err
	}
	return gateway.Quote{VAT: &amount, VATRate: rate.String() + "%"}, nil
}
