package merchant_test

import (
	"crypto/tls"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// The page's requests to the wallets use the merchant's settings.
func TestWalletRequests(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	token := k.SessionOf(t, kerneltest.Offering("ORD-1", "500.00", "JPY", "card", wallet.ApplePay, wallet.GooglePay))
	next, err := k.NextAction(t.Context(), token)
	require.NoError(t, err)
	require.Len(t, next.Methods, 3)
	require.Nil(t, next.Methods[0].Wallet)
	require.Equal(t, &gateway.WalletRequest{Apple: &gateway.AppleRequest{
		CountryCode: "US", CurrencyCode: "JPY", MerchantCapabilities: []string{"supports3DS"},
		SupportedNetworks: []string{"visa", "masterCard"}, Label: "The Shop", Amount: "500",
	}}, next.Methods[1].Wallet)
	require.Equal(t, &gateway.WalletRequest{Google: &gateway.GoogleRequest{
		Environment: store.WalletTest, MerchantName: next.Merchant, Gateway: "tollgate",
		GatewayMerchantID: gatewaytest.MerchantKey,
		AuthMethods:       []string{"PAN_ONLY", "CRYPTOGRAM_3DS"}, Networks: []string{"VISA", "MASTERCARD"},
		CountryCode: "US", CurrencyCode: "JPY", Amount: "500",
	}}, next.Methods[2].Wallet)

	k.Configure(t, func(w *store.Wallets) {
		w.Apple.ShopName, w.Apple.Networks, w.Apple.Capabilities = "", []string{"amex"}, []string{"supports3DS",
			"supportsCredit"}
		w.Google.Environment, w.Google.MerchantID = store.WalletProduction, "BCR2DN"
		w.Google.Networks, w.Google.AuthMethods = []string{"JCB"}, []string{"PAN_ONLY"}
	})
	next, err = k.NextAction(t.Context(), token)
	require.NoError(t, err)
	apple, google := next.Methods[1].Wallet.Apple, next.Methods[2].Wallet.Google
	require.Equal(t, next.Merchant, apple.Label)
	require.Equal(t, []string{"amex"}, apple.SupportedNetworks)
	require.Equal(t, []string{"supports3DS", "supportsCredit"}, apple.MerchantCapabilities)
	require.Equal(t, store.WalletProduction, google.Environment)
	require.Equal(t, "BCR2DN", google.MerchantID)
	require.Equal(t, []string{"JCB"}, google.Networks)
	require.Equal(t, []string{"PAN_ONLY"}, google.AuthMethods)

	r := kerneltest.Offering("ORD-2", "10.50", "USD", wallet.GooglePay)
	next, err = k.NextAction(t.Context(), k.As(gatewaytest.TestKey).SessionOf(t, r))
	require.NoError(t, err)
	require.Equal(t, gatewaytest.TestKey, next.Methods[0].Wallet.Google.GatewayMerchantID)
	require.Equal(t, "10.50", next.Methods[0].Wallet.Google.Amount)
}

// A wallet whose settings allow no button is not offered, and a session that allows only such a wallet is refused.
func TestWalletsAreOfferedAsSetUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		save    func(*store.Wallets)
		kind    string
		offered []string
	}{
		{"both", func(*store.Wallets) {}, "purchase", []string{"card", "applepay", "googlepay"}},
		{"without processing keys", kerneltest.Keyless, "purchase", []string{"card", "applepay", "googlepay"}},
		{"no identity", func(w *store.Wallets) { w.Apple.Certificate, w.Apple.PrivateKey = "", store.Secret{} }, "purchase", []string{"card", "googlepay"}},
		{"no id in production", func(w *store.Wallets) { w.Google.Environment = "" }, "purchase", []string{"card", "applepay"}},
		{"none", func(w *store.Wallets) { w.Apple, w.Google = nil, nil }, "purchase", []string{"card"}},
		{"a debit", func(*store.Wallets) {}, "debit", []string{"card"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
			k.Configure(t, c.save)
			r := kerneltest.Offering("ORD-1", "10.00", "USD", "card", wallet.ApplePay, wallet.GooglePay)
			r.Operation = c.kind
			token := k.SessionOf(t, r)
			next, err := k.NextAction(t.Context(), token)
			require.NoError(t, err)
			var codes []string
			for _, choice := range next.Methods {
				codes = append(codes, choice.Code)
			}
			require.Equal(t, c.offered, codes)
			for _, code := range []string{wallet.ApplePay, wallet.GooglePay} {
				r := kerneltest.Offering("ORD-2"+code, "10.00", "USD", code)
				r.Operation = c.kind
				_, err := k.Shop().CreateSession(t.Context(), r)
				if slices.Contains(c.offered, code) {
					require.NoError(t, err)
					continue
				}
				refusal := gateway.ErrMethodRoute
				if c.kind == "debit" {
					refusal = gateway.ErrAction
				}
				require.ErrorIs(t, err, refusal)
				_, err = k.PaySession(t.Context(), token, gateway.Submission{Method: code, WalletToken: "{}"})
				require.ErrorIs(t, err, gateway.ErrInvalid)
				require.Equal(t, "method", gateway.AsError(err).Faults()[0].Path)
			}
		})
	}
}

// The identity is returned only for sessions that can be paid by Apple Pay now.
func TestAppleIdentity(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	token := k.SessionOf(t, kerneltest.Offering("ORD-1", "10.00", "USD", "card", wallet.ApplePay))
	identity, err := k.AppleIdentity(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, k.Apple.MerchantID, identity.Identifier)
	require.Equal(t, "The Shop", identity.ShopName)
	require.Equal(t, store.WalletTest, identity.Environment)
	_, err = tls.X509KeyPair([]byte(identity.Certificate), []byte(identity.PrivateKey.Reveal()))
	require.NoError(t, err)

	_, err = k.AppleIdentity(t.Context(), token+"x")
	require.ErrorIs(t, err, gateway.ErrNoSession)
	_, err = k.AppleIdentity(t.Context(), k.SessionOf(t, kerneltest.Offering("ORD-2", "10.00", "USD", "card")))
	require.ErrorIs(t, err, gateway.ErrWallet, "not by this wallet")
	for name, off := range kerneltest.SwitchOffs {
		other := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
		open := other.SessionOf(t, kerneltest.Offering("ORD-1", "10.00", "USD", wallet.ApplePay))
		off(t, other.Kit)
		_, err = other.AppleIdentity(t.Context(), open)
		require.ErrorIs(t, err, gateway.ErrWallet, name)
	}
	k.Pay(t, token, gatewaytest.Settles)
	_, err = k.AppleIdentity(t.Context(), token)
	require.ErrorIs(t, err, gateway.ErrWallet, "paid already")
	late := k.SessionOf(t, kerneltest.Offering("ORD-3", "10.00", "USD", wallet.ApplePay))
	k.Clock.Set(k.Clock.Now().Add(30 * 24 * time.Hour))
	_, err = k.AppleIdentity(t.Context(), late)
	require.ErrorIs(t, err, gateway.ErrWallet, "too late")
}

// If the answer to a wallet payment is lost, the acquirer is asked, or the sealed token is sent again: by another
// instance, and after a crash.
func TestWalletRecovery(t *testing.T) {
	t.Parallel()
	for _, support := range methods.WalletSupports() {
		t.Run(string(support), func(t *testing.T) {
			t.Parallel()
			can := kerneltest.TakesWallets(support, true)
			can.ResendWithoutCode = false // wallet payments have no code
			k := kerneltest.NewWalletKit(t, can)
			k.Vcard.Next(vcard.UnknownBefore())
			token := k.TokenFor(t, wallet.GooglePay, 12, 2030)
			paid, err := k.PayWith(t, store.S2SAPM, "ORD-1", wallet.GooglePay, token)
			require.NoError(t, err)
			require.NotEqual(t, store.Settled, paid.Status)
			tr := kerneltest.ReadBooks(t, k.Kit).Transactions[paid.Transactions[0].ID]
			require.Equal(t, store.InDoubt, tr.Outcome)
			require.NotNil(t, tr.SealedWallet)
			k.Twin(t).Advance(t, time.Hour)
			require.Equal(t, store.Settled, k.Payment(t, "ORD-1").Status)
			sends := k.Spy.Sends(paid.Transactions[0].ID)
			require.Len(t, sends, 2)
			require.Equal(t, sends[0].Wallet.Token, sends[1].Wallet.Token)
			require.Equal(t, sends[0].Wallet.Cryptogram.Reveal(), sends[1].Wallet.Cryptogram.Reveal())
			require.Equal(t, sends[0].Wallet.ECI, sends[1].Wallet.ECI)
			require.Equal(t, sends[0].Authentication, sends[1].Authentication)
			require.Equal(t, sends[0].Card != nil, sends[1].Card != nil)
			require.Nil(t, kerneltest.ReadBooks(t, k.Kit).Transactions[paid.Transactions[0].ID].SealedWallet)
			kerneltest.Quiet(t, k.Kit)
		})
	}
}
