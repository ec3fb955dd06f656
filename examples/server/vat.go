package main

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/examples/server/shop"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// vat is the demo's quoter: the standard rate of the payer's country. The prices of the shop contain the tax. A
// gateway computes nothing by itself; how a tax is rounded is for the law that the host's merchants are under.
type vat struct{ currencies *methods.Currencies }

// Quote answers the tax of a country that the demo knows a rate of, and of others none.
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
