package browser_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

// newWalletGateway is a site whose gateway has the wallets itself: settings are saved, and tokens are opened with
// the merchant's keys.
func newWalletGateway(t *testing.T) (*walletSite, *wallettest.AppleIssuer, *wallettest.GoogleIssuer) {
	t.Helper()
	s, now := newWalletSite(t), time.Now()
	apple, google := wallettest.NewApple(t, now), wallettest.NewGoogle(t, now)
	google.GatewayMerchantID = gatewaytest.TestKey
	s.Kit = s.Twin(t, func(c *gateway.Config) {
		c.Wallets = gateway.WalletRoots{
			Apple:  map[store.WalletEnvironment][]string{store.WalletTest: apple.Config(t).Roots},
			Google: map[store.WalletEnvironment]string{store.WalletTest: google.Config(t).RootKeys},
		}
	})
	s.walletKernel.Gateway = s.Kit.Gateway
	require.NoError(t, s.Kit.SaveWallets(t.Context(), store.Wallets{
		MerchantID: gatewaytest.MerchantID,
		Apple: &store.AppleWallet{
			Environment: store.WalletTest, Identifier: apple.MerchantID, Country: "DE", Certificate: s.who.Certificate,
			PrivateKey:     s.who.PrivateKey,
			ProcessingKeys: apple.Config(t).ProcessingKeys,
		},
		Google: &store.GoogleWallet{Environment: store.WalletTest, Gateway: "tollgate", Keys: google.Config(t).Keys},
	}))
	s.serveOn(s.Kit.Gateway)
	return s, apple, google
}

// testWalletGateway: the page with the real gateway, with tokens that are sealed and signed.
func testWalletGateway(t *testing.T, b *chromium) {
	eachWallet(t, func(t *testing.T, name, button string) {
		s, apple, google := newWalletGateway(t)
		token := func(month int, merchant string) []byte {
			if name == "apple" {
				return wallettest.MintApple(t, apple, func(m *wallettest.AppleToken) {
					m.Amount, m.TransactionID[0] = 1000, byte(month)
					m.Expiry = time.Date(2038, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Format("060102")
					if merchant != "" {
						m.MerchantID = merchant
					}
				})
			}
			return wallettest.MintGoogle(t, google, func(m *wallettest.GoogleToken) {
				if m.Month, m.Year = month, 2038; merchant != "" {
					m.GatewayMerchantID = merchant
				}
			})
		}
		p := s.wallets(b, desktop(), true)
		r := s.request()
		r.Language, r.Methods = "en", []string{"applepay", "googlepay", "card"}
		p.open(s.onPage(s.session(r)))
		p.pressWallet(button)
		p.opens()
		read[bool](p, `sheet.give(`+string(token(1, "somebody.else"))+`) === undefined`)
		p.until(`document.activeElement.id === "wallet-problem"`)
		require.Zero(t, s.booked())
		p.pressWallet(button)
		p.until(`JSON.parse(sessionStorage.getItem("notes")).filter(function (n) {
			return n.what === "opened";
		}).length === 2 && sheet.ready`)
		p.give(token(2, ""))
		p.until(`document.querySelector('.card > [role="alert"]')`)
		p.completed("fail", "fail")
		p.pressWallet(button)
		p.opens()
		p.give(token(1, ""))
		p.arrived(s.site, "success")
		paid := s.payment()
		require.Equal(t, store.Settled, paid.Status)
		require.Equal(t, name+"pay", paid.Wallet.Wallet)
		require.Equal(t, 1, s.booked())
		p.quiet()
	})
}
