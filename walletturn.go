package gateway

import (
	"cmp"
	"context"
	"slices"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// WalletRequest is what a page asks a wallet with: one of the two, by the method. Amounts are decimal text in
// the order's currency. It is made of the merchant's wallet settings (SPEC2, "Wallet tokens").
type WalletRequest struct {
	Apple  *AppleRequest
	Google *GoogleRequest
}

// AppleRequest holds the members of an ApplePayPaymentRequest.
type AppleRequest struct {
	CountryCode          string
	CurrencyCode         string
	MerchantCapabilities []string
	SupportedNetworks    []string
	Label                string // the shop's name, beside the total
	Amount               string
}

// GoogleRequest holds what a PaymentRequest of https://google.com/pay needs.
type GoogleRequest struct {
	Environment       store.WalletEnvironment
	MerchantID        string // at the wallet; empty in TEST
	MerchantName      string
	Gateway           string
	GatewayMerchantID string // the merchant's key
	AuthMethods       []string
	Networks          []string
	CountryCode       string
	CurrencyCode      string
	Amount            string
}

// WalletIdentity is who a merchant is to wallet A: what a merchant session is asked for with, over mutual TLS
// with Certificate and PrivateKey (PEM).
type WalletIdentity struct {
	Identifier  string
	ShopName    string
	Environment store.WalletEnvironment
	Certificate string
	PrivateKey  store.Secret
}

// AppleIdentity is the identity of the merchant of a session whose payer may pay by applepay now. Errors:
// ErrNoSession, and ErrWallet where the session cannot be paid so.
func (gw *Gateway) AppleIdentity(ctx context.Context, token string) (*WalletIdentity, error) {
	if err := gw.gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	s, profile, err := gw.session(ctx, token)
	if err != nil {
		return nil, err
	}
	if err := profile.Opens(wallet.ApplePay); err != nil {
		return nil, err
	}
	offered := slices.ContainsFunc(gw.choices(s, profile), func(one MethodChoice) bool { return one.Code == wallet.ApplePay })
	if s.Hosted || profile.Off(store.Checkout) || !gw.payable(s, s.Attempts) || !offered {
		return nil, refusal.ErrWallet
	}
	a := profile.Wallets.Apple
	return &WalletIdentity{
		Identifier: a.Identifier, ShopName: cmp.Or(a.ShopName, profile.Record().Name), Environment: merchant.WorldOf(a.Environment),
		Certificate: a.Certificate, PrivateKey: a.PrivateKey,
	}, nil
}

// walletRequest is what the page asks the wallet of a method with; nil for every other method.
func (gw *Gateway) walletRequest(s *store.Session, p *merchant.Profile, method string) *WalletRequest {
	switch method {
	case wallet.ApplePay:
		return &WalletRequest{Apple: gw.appleRequest(s, p)}
	case wallet.GooglePay:
		return &WalletRequest{Google: gw.googleRequest(s, p)}
	}
	return nil
}

func (gw *Gateway) appleRequest(s *store.Session, p *merchant.Profile) *AppleRequest {
	a := p.Wallets.Apple
	return &AppleRequest{
		CountryCode: a.Country, CurrencyCode: s.Order.Currency, Amount: gw.walletAmount(s),
		MerchantCapabilities: merchant.OrDefault(a.Capabilities, merchant.DefaultCapabilities),
		SupportedNetworks:    merchant.OrDefault(a.Networks, merchant.DefaultAppleNetworks),
		Label:                cmp.Or(a.ShopName, p.Record().Name),
	}
}

// googleRequest: the country is where the payment is processed, which only the settings of the other wallet
// name.
func (gw *Gateway) googleRequest(s *store.Session, p *merchant.Profile) *GoogleRequest {
	g := p.Wallets.Google
	r := &GoogleRequest{
		Environment: merchant.WorldOf(g.Environment), MerchantName: p.Record().Name, Gateway: g.Gateway, GatewayMerchantID: p.Record().Key,
		AuthMethods: merchant.OrDefault(g.AuthMethods, merchant.DefaultAuthMethods), Networks: merchant.OrDefault(g.Networks, merchant.DefaultGoogleNetworks),
		CurrencyCode: s.Order.Currency, Amount: gw.walletAmount(s),
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
func (gw *Gateway) walletAmount(s *store.Session) string {
	currency, _ := gw.currencies.Lookup(s.Order.Currency)
	amount, err := store.ParseAmount(s.Order.Amount)
	if err != nil {
		return ""
	}
	return methods.FormatAmount(methods.S2S, currency, amount)
}
