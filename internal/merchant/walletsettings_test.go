package merchant_test

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

// The error names every fault of the roots.
func TestWalletRootsAreChecked(t *testing.T) {
	t.Parallel()
	apple, google := kerneltest.IssuersOf(t)
	for _, c := range []struct {
		name  string
		roots gateway.WalletRoots
		fault string
	}{
		{"none", gateway.WalletRoots{}, ""},
		{"no certificates", gateway.WalletRoots{Apple: map[store.WalletEnvironment][]string{"TEST": {}}}, `Config.Wallets.Apple["TEST"]`},
		{"no certificate", gateway.WalletRoots{Apple: map[store.WalletEnvironment][]string{"TEST": {"x"}}}, `Config.Wallets.Apple["TEST"]`},
		{"no environment", gateway.WalletRoots{Apple: map[store.WalletEnvironment][]string{"LIVE": apple.Config(t).Roots}}, `Config.Wallets.Apple["LIVE"]`},
		{"no list", gateway.WalletRoots{Google: map[store.WalletEnvironment]string{"PRODUCTION": "[]"}}, `Config.Wallets.Google["PRODUCTION"]`},
		{"no environment of wallet B", gateway.WalletRoots{Google: map[store.WalletEnvironment]string{"": google.Config(t).RootKeys}}, `Config.Wallets.Google[""]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := gateway.New(gateway.Config{Wallets: c.roots})
			require.Error(t, err) // the rest of the configuration is missing
			if c.fault == "" {
				require.NotContains(t, err.Error(), "Wallets")
			} else {
				require.ErrorContains(t, err, c.fault)
			}
		})
	}
}

// The error names every fault of the settings, and contains no key.
func TestWalletSettingsAreChecked(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	other := wallettest.NewRoot(t, kerneltest.Opening)
	for _, c := range []struct {
		name, fault string
		change      func(*store.Wallets)
	}{
		{"fine", "", func(*store.Wallets) {}},
		{"no merchant", "merchant:", func(w *store.Wallets) { w.MerchantID = "" }},
		{"an unknown merchant", `"m-none"`, func(w *store.Wallets) { w.MerchantID = "m-none" }},
		{"environment of wallet A", "applepay.environment", func(w *store.Wallets) { w.Apple.Environment = "LIVE" }},
		{"environment of wallet B", "googlepay.environment", func(w *store.Wallets) { w.Google.Environment = "test" }},
		{"identifier", "applepay.merchant_identifier", func(w *store.Wallets) { w.Apple.Identifier = "" }},
		{"country", "applepay.country", func(w *store.Wallets) { w.Apple.Country = "USA" }},
		{"shop name", "applepay.shop_name", func(w *store.Wallets) { w.Apple.ShopName = strings.Repeat("x", 65) }},
		{"capabilities", "applepay.merchant_capabilities", func(w *store.Wallets) { w.Apple.Capabilities = []string{"supports3DS", "supportsAll"} }},
		{"capabilities without 3-D Secure", "applepay.merchant_capabilities", func(w *store.Wallets) { w.Apple.Capabilities = []string{"supportsDebit"} }},
		{"networks of wallet A", `applepay.supported_networks: "VISA"`, func(w *store.Wallets) { w.Apple.Networks = []string{"visa", "VISA"} }},
		{"networks of wallet B", `googlepay.allowed_card_networks: "visa"`, func(w *store.Wallets) { w.Google.Networks = []string{"visa"} }},
		{"auth methods", "googlepay.allowed_auth_methods", func(w *store.Wallets) { w.Google.AuthMethods = []string{"3DS"} }},
		{"gateway", "googlepay.gateway", func(w *store.Wallets) { w.Google.Gateway = "" }},
		{"a certificate without a key", "applepay.certificate", func(w *store.Wallets) { w.Apple.PrivateKey = store.Secret{} }},
		{"a key without a certificate", "applepay.certificate", func(w *store.Wallets) { w.Apple.Certificate = "" }},
		{"another's certificate", "applepay.certificate", func(w *store.Wallets) { w.Apple.Certificate = other.PEM() }},
		{"an invalid processing key", "applepay.processing_keys", func(w *store.Wallets) { w.Apple.ProcessingKeys = []store.Secret{store.NewSecret("hush-hush")} }},
		{"an invalid private key", "googlepay.private_keys", func(w *store.Wallets) { w.Google.Keys = []store.Secret{store.NewSecret("hush-hush")} }},
	} {
		w := k.Settings(t)
		c.change(&w)
		err := k.SaveWallets(t.Context(), w)
		if c.fault == "" {
			require.NoError(t, err, c.name)
			continue
		}
		require.ErrorContains(t, err, c.fault, c.name)
		require.NotContains(t, err.Error(), "hush")
		require.NotContains(t, err.Error(), "PRIVATE KEY")
	}
	w := k.Settings(t)
	w.Apple.Country, w.Apple.Environment, w.Google.Gateway = "", "x", ""
	for _, fault := range []string{"applepay.country", "applepay.environment", "googlepay.gateway"} {
		require.ErrorContains(t, k.SaveWallets(t.Context(), w), fault, "all at once")
	}
}

// Keys without a trusted root are a fault. If the roots are removed later, no token is accepted.
func TestWalletKeysNeedRoots(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletVirtual, true))
	bare := k.Twin(t, func(c *gateway.Config) { c.Wallets = gateway.WalletRoots{} })
	err := bare.SaveWallets(t.Context(), k.Settings(t))
	require.ErrorContains(t, err, "applepay.processing_keys: Config.Wallets has no roots for TEST")
	require.ErrorContains(t, err, "googlepay.private_keys: Config.Wallets has no roots for TEST")
	w := k.Settings(t)
	kerneltest.Keyless(&w)
	require.NoError(t, bare.SaveWallets(t.Context(), w), "without keys no root is needed")
	k.Configure(t)
	_, err = (&kerneltest.WalletKit{Kit: bare, Spy: k.Spy}).PayWith(t, store.S2SAPM, "ORD-1", wallet.GooglePay,
		k.TokenFor(t, wallet.GooglePay, 12, 2030))
	require.Equal(t, []string{"parameters[paymentToken]" + kerneltest.NotValid}, kerneltest.RefusedFields(t, err))
}

// New settings are used at once, on every instance.
func TestWalletSettingsChange(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	twin := &kerneltest.WalletKit{Kit: k.Twin(t), Spy: k.Spy}
	_, err := twin.PayWith(t, store.S2SCard, "ORD-1", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030))
	require.NoError(t, err)
	k.Configure(t, func(w *store.Wallets) { w.Google.Environment = store.WalletProduction })
	_, err = twin.PayWith(t, store.S2SCard, "ORD-2", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030))
	require.Equal(t, []string{"payment_token" + kerneltest.NotValid}, kerneltest.RefusedFields(t, err),
		"a test token in production")
	rotated := wallettest.NewKey(t)
	k.Configure(t, func(w *store.Wallets) {
		w.Google.Keys = append([]store.Secret{wallettest.KeyPEM(t, rotated)}, w.Google.Keys...)
	})
	for i, key := range append(k.Google.Keys, rotated) {
		_, err = twin.PayWith(t, store.S2SCard, "ORD-3"+string(rune('a'+i)), wallet.GooglePay,
			k.TokenFor(t, wallet.GooglePay, 12, 2030, func(m *wallettest.GoogleToken) {
				m.Key = key
			}))
		require.NoError(t, err)
	}
	k.Configure(t, kerneltest.Keyless)
	_, err = twin.PayWith(t, store.S2SCard, "ORD-4", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030))
	require.ErrorIs(t, err, gateway.ErrWallet)
}

// The test key of a merchant has its own tokens.
func TestWalletUnderTheTestKey(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	mine := func(m *wallettest.GoogleToken) { m.GatewayMerchantID = gatewaytest.TestKey }
	under := *k
	under.Kit = k.As(gatewaytest.TestKey)
	paid, err := under.PayWith(t, store.S2SCard, "ORD-1", wallet.GooglePay,
		k.TokenFor(t, wallet.GooglePay, 12, 2030, mine))
	require.NoError(t, err)
	require.True(t, paid.Test)
	_, err = under.PayWith(t, store.S2SCard, "ORD-2", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030))
	require.Equal(t, []string{"payment_token" + kerneltest.NotValid}, kerneltest.RefusedFields(t, err))
}

// Keys, tokens and cryptograms appear only sealed: in the store, its write log, our log, and in what merchants get.
func TestWalletSecretsStaySealed(t *testing.T) {
	t.Parallel()
	for _, support := range methods.WalletSupports() {
		t.Run(string(support), func(t *testing.T) {
			t.Parallel()
			h := &kerneltest.Haystack{Bits: map[string][]byte{}}
			k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(support, true), func(c *gateway.Config) {
				c.Store = kerneltest.NotedStore{Store: c.Store, Hay: h}
				c.Log = slog.New(slog.NewJSONHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
				c.Observers = append(c.Observers, h)
			})
			secrets := append(keysOf(t, k), kerneltest.CanaryPAN, wallettest.Cryptogram)
			for _, month := range []int{1, 2, 5, 7, 9} { // settled, declined, redirected, pending, in doubt
				for _, p := range []store.Protocol{store.Checkout, store.S2SAPM} {
					token := k.TokenFor(t, wallet.GooglePay, month, 2038, kerneltest.PANOnly,
						func(m *wallettest.GoogleToken) { m.PAN = kerneltest.CanaryPAN })
					secrets = append(secrets, token[len(token)/2:len(token)/2+60])
					order := fmt.Sprint("ORD-", p, month)
					_, err := k.PayWith(t, p, order, wallet.GooglePay, token, kerneltest.BeginsChain, kerneltest.AsksToken)
					require.NoError(t, err)
					_, err = k.PayWith(t, p, order+"-again", wallet.GooglePay, token)
					require.Error(t, err)
				}
				_, err := k.PayWith(t, store.S2SAPM, fmt.Sprint("ORD-", month), wallet.GooglePay,
					k.TokenFor(t, wallet.GooglePay, month, 2038))
				require.NoError(t, err)
			}
			k.Work(t)
			kerneltest.Gather(t, k.Kit, h)
			for _, secret := range secrets {
				require.Empty(t, h.Find(secret))
			}
		})
	}
}

// keysOf returns the middle parts of the merchant's keys.
func keysOf(t testing.TB, k *kerneltest.WalletKit) (texts []string) {
	t.Helper()
	w := k.Settings(t)
	for _, key := range append(append(w.Apple.ProcessingKeys, w.Google.Keys...), w.Apple.PrivateKey) {
		lines := strings.Split(key.Reveal(), "\n")
		texts = append(texts, lines[1][:40])
		_, err := base64.StdEncoding.DecodeString(lines[1][:40])
		require.NoError(t, err)
	}
	return texts
}
