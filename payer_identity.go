package gateway

import (
	"cmp"
	"context"
	"slices"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// WalletIdentity identifies a merchant to wallet A. A merchant session is requested with it, over mutual TLS with
// Certificate and PrivateKey (PEM).
type WalletIdentity struct {
	Identifier  string
	ShopName    string
	Environment store.WalletEnvironment
	Certificate string
	PrivateKey  store.Secret
}

// AppleIdentity returns the merchant's identity for a session whose payer may pay by applepay now. Errors:
// ErrNoSession, and ErrWallet if the session cannot be paid by applepay.
func (gw *Gateway) AppleIdentity(ctx context.Context, token string) (*WalletIdentity, error) {
	if err := made(gw).gate.Enter(); err != nil {
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
	offered := slices.ContainsFunc(gw.offers.choices(s, profile),
		func(one MethodChoice) bool { return one.Code == wallet.ApplePay })
	if s.Hosted || profile.Off(store.Checkout) || !gw.payable(s, s.Attempts) || !offered {
		return nil, refusal.ErrWallet
	}
	a := profile.Wallets.Apple
	return &WalletIdentity{
		Identifier: a.Identifier, ShopName: cmp.Or(a.ShopName, profile.Record().Name),
		Environment: merchant.WorldOf(a.Environment),
		Certificate: a.Certificate, PrivateKey: a.PrivateKey,
	}, nil
}
