package gateway

import (
	"cmp"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// walletRequest is what the page asks the wallet of a method with; nil for every other method.
func (o *offers) walletRequest(s *store.Session, p *merchant.Profile, method string) *WalletRequest {
	switch method {
	case wallet.ApplePay:
		return &WalletRequest{Apple: o.appleRequest(s, p)}
	case wallet.GooglePay:
		return &WalletRequest{Google: o.googleRequest(s, p)}
	}
	return nil
}

func (o *offers) appleRequest(s *store.Session, p *merchant.Profile) *AppleRequest {
	a := p.Wallets.Apple
	return &AppleRequest{
		CountryCode: a.Country, CurrencyCode: s.Order.Currency, Amount: o.walletAmount(s),
		MerchantCapabilities: merchant.OrDefault(a.Capabilities, merchant.DefaultCapabilities),
		SupportedNetworks:    merchant.OrDefault(a.Networks, merchant.DefaultAppleNetworks),
		Label:                cmp.Or(a.ShopName, p.Record().Name),
	}
}

// googleRequest: the country is where the payment is processed, which only the settings of the other wallet
// name.
func (o *offers) googleRequest(s *store.Session, p *merchant.Profile) *GoogleRequest {
	g := p.Wallets.Google
	r := &GoogleRequest{
		Environment: merchant.WorldOf(g.Environment), MerchantName: p.Record().Name, Gateway: g.Gateway, GatewayMerchantID: p.Record().Key,
		AuthMethods: merchant.OrDefault(g.AuthMethods, merchant.DefaultAuthMethods), Networks: merchant.OrDefault(g.Networks, merchant.DefaultGoogleNetworks),
		CurrencyCode: s.Order.Currency, Amount: o.walletAmount(s),
	}
	if r.Environment == store.WalletProduction {
		r.MerchantID = g.MerchantID
	}
	if s.Test {
		r.GatewayMerchantID = cmp.Or(p.Record().TestKey, p.Record().Key)
	}
	if p.Wallets.Apple != nil {
		r.CountryCode = p.Wallets.Apple.Country
	}
	return r
}

// walletAmount is the amount of the order with exactly the decimals of its currency.
func (o *offers) walletAmount(s *store.Session) string {
	currency, _ := o.router.currencies.Lookup(s.Order.Currency)
	amount, err := store.ParseAmount(s.Order.Amount)
	if err != nil {
		return ""
	}
	return methods.FormatAmount(methods.S2S, currency, amount)
}
