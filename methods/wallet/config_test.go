package wallet_test

import (
	"crypto/elliptic"
	"crypto/x509"
	"encoding/pem"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

func TestNewAppleRefuses(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewApple(t, clock())
	p384 := wallettest.KeyPEM(t, wallettest.NewKey(t, elliptic.P384()))
	good := wallettest.KeyPEM(t, issuer.Keys[0])
	for _, c := range []struct {
		name, fault string
		change      func(*wallet.AppleConfig)
	}{
		{"environment", "wallet: Environment: must be TEST or PRODUCTION", func(c *wallet.AppleConfig) { c.Environment = "LIVE" }},
		{"no merchant", "wallet: MerchantID: must be 1 to 255 printable bytes", func(c *wallet.AppleConfig) { c.MerchantID = "" }},
		{"merchant on two lines", "wallet: MerchantID: must be 1 to 255 printable bytes", func(c *wallet.AppleConfig) { c.MerchantID = "a\nb" }},
		{"no keys", "wallet: ProcessingKeys: must hold 1 to 16 private keys", func(c *wallet.AppleConfig) { c.ProcessingKeys = nil }},
		{"too many keys", "wallet: ProcessingKeys: must hold 1 to 16 private keys", func(c *wallet.AppleConfig) { c.ProcessingKeys = slices.Repeat(c.ProcessingKeys, 17) }},
		{"no key", "wallet: ProcessingKeys[1]: must be an EC private key on P-256", func(c *wallet.AppleConfig) { c.ProcessingKeys = []store.Secret{good, store.NewSecret("secret words")} }},
		{"key on P-384", "wallet: ProcessingKeys[0]: must be an EC private key on P-256", func(c *wallet.AppleConfig) { c.ProcessingKeys = []store.Secret{p384} }},
		{"two keys in one", "wallet: ProcessingKeys[0]: must be an EC private key on P-256", func(c *wallet.AppleConfig) {
			c.ProcessingKeys = []store.Secret{store.NewSecret(good.Reveal() + good.Reveal())}
		}},
		{"huge key", "wallet: ProcessingKeys[0]: must be an EC private key on P-256", func(c *wallet.AppleConfig) {
			c.ProcessingKeys = []store.Secret{store.NewSecret(good.Reveal() + strings.Repeat("\n", 17<<10))}
		}},
		{"no roots", "wallet: no trusted root is configured: Roots", func(c *wallet.AppleConfig) { c.Roots = nil }},
		{"no root", "wallet: Roots[0]: must be the PEM of one certificate of an authority", func(c *wallet.AppleConfig) { c.Roots = []string{"root"} }},
		{"leaf as a root", "wallet: Roots[0]: must be the PEM of one certificate of an authority", func(c *wallet.AppleConfig) { c.Roots = []string{issuer.Leaf.PEM()} }},
		{"two roots in one", "wallet: Roots[0]: must be the PEM of one certificate of an authority", func(c *wallet.AppleConfig) { c.Roots = []string{issuer.Root.PEM() + issuer.Root.PEM()} }},
		{"key as a root", "wallet: Roots[0]: must be the PEM of one certificate of an authority", func(c *wallet.AppleConfig) { c.Roots = []string{good.Reveal()} }},
		{"too many roots", "wallet: Roots: must be 1 to 16 certificates", func(c *wallet.AppleConfig) { c.Roots = slices.Repeat(c.Roots, 17) }},
		{"huge root", "wallet: Roots[0]: must be the PEM of one certificate of an authority", func(c *wallet.AppleConfig) { c.Roots[0] += strings.Repeat("\n", 17<<10) }},
		{"negative window", "wallet: Window: must be 0 to 24 hours", func(c *wallet.AppleConfig) { c.Window = -1 }},
		{"endless window", "wallet: Window: must be 0 to 24 hours", func(c *wallet.AppleConfig) { c.Window = 24*time.Hour + 1 }},
		{"two faults", "wallet: Environment: must be TEST or PRODUCTION\nwallet: Window: must be 0 to 24 hours", func(c *wallet.AppleConfig) { c.Environment, c.Window = "", -1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := issuer.Config(t)
			c.change(&config)
			a, err := wallet.NewApple(config)
			require.Nil(t, a)
			require.EqualError(t, err, c.fault)
		})
	}
	_, err := wallet.NewApple(wallet.AppleConfig{})
	require.ErrorIs(t, err, wallet.ErrNoRoots)
}

func TestNewGoogleRefuses(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewGoogle(t, clock())
	entry := wallettest.RootKey(t, issuer.Root, "ECv2", clock())
	entry["keyExpiration"] = "never"
	other := wallettest.RootKey(t, wallettest.NewKey(t, elliptic.P384()), "ECv2", clock())
	const list = "wallet: RootKeys: must be a JSON object with a list of up to 64 keys"
	for _, c := range []struct {
		name, fault string
		change      func(*wallet.GoogleConfig)
	}{
		{"environment", "wallet: Environment: must be TEST or PRODUCTION", func(c *wallet.GoogleConfig) { c.Environment = "test" }},
		{"no merchant at a gateway", "wallet: GatewayMerchantID: must be 1 to 255 printable bytes", func(c *wallet.GoogleConfig) { c.GatewayMerchantID = "" }},
		{"recipient without a prefix", "wallet: Recipient: must be gateway: or merchant: and an id", func(c *wallet.GoogleConfig) { c.Recipient = "tollgate" }},
		{"recipient without an id", "wallet: Recipient: must be gateway: or merchant: and an id", func(c *wallet.GoogleConfig) { c.Recipient = "gateway:" }},
		{"no keys", "wallet: Keys: must hold 1 to 16 private keys", func(c *wallet.GoogleConfig) { c.Keys = nil }},
		{"no key", "wallet: Keys[0]: must be an EC private key on P-256", func(c *wallet.GoogleConfig) { c.Keys = []store.Secret{{}} }},
		{"no roots", "wallet: no trusted root is configured: RootKeys", func(c *wallet.GoogleConfig) { c.RootKeys = "" }},
		{"empty roots", "wallet: no trusted root is configured: RootKeys", func(c *wallet.GoogleConfig) { c.RootKeys = `{"keys":[]}` }},
		{"roots of another version", "wallet: no trusted root is configured: RootKeys", func(c *wallet.GoogleConfig) {
			c.RootKeys = wallettest.RootKeys(t, wallettest.RootKey(t, issuer.Root, "ECv1", clock()))
		}},
		{"roots no JSON", list, func(c *wallet.GoogleConfig) { c.RootKeys = "keys" }},
		{"roots no list", list, func(c *wallet.GoogleConfig) { c.RootKeys = `{"keys":{}}` }},
		{"roots repeated", list, func(c *wallet.GoogleConfig) { c.RootKeys = `{"keys":[],"keys":[]}` }},
		{"huge roots", list, func(c *wallet.GoogleConfig) { c.RootKeys += strings.Repeat(" ", 65<<10) }},
		{"too many roots", list, func(c *wallet.GoogleConfig) { c.RootKeys = `{"keys":[` + strings.Repeat("1,", 64) + `1]}` }},
		{"root without an expiry", "wallet: RootKeys.keys[0]: must have a keyValue on P-256 and a keyExpiration", func(c *wallet.GoogleConfig) { c.RootKeys = wallettest.RootKeys(t, entry) }},
		{"root on P-384", "wallet: RootKeys.keys[0]: must have a keyValue on P-256 and a keyExpiration", func(c *wallet.GoogleConfig) { c.RootKeys = wallettest.RootKeys(t, other) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := issuer.Config(t)
			c.change(&config)
			g, err := wallet.NewGoogle(config)
			require.Nil(t, g)
			require.EqualError(t, err, c.fault)
		})
	}
}

// Keys may have every form that the operator's tools write.
func TestKeyForms(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewGoogle(t, clock())
	key := issuer.Keys[0]
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	sec1, err := x509.MarshalECPrivateKey(key)
	require.NoError(t, err)
	parameters := string(pem.EncodeToMemory(&pem.Block{Type: "EC PARAMETERS",
		Bytes: []byte{6, 8, 42, 134, 72, 206, 61, 3, 1, 7}}))
	for _, c := range []struct{ name, text string }{
		{"PKCS#8", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))},
		{"SEC 1", string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: sec1}))},
		{"SEC 1 after parameters", parameters + string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: sec1}))},
		{"base64", encode(pkcs8)},
		{"base64 on a line", encode(pkcs8) + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := issuer.Config(t)
			config.Keys = []store.Secret{store.NewSecret(c.text)}
			_, err := google(t, config).Open(wallettest.MintGoogle(t, issuer), clock())
			requireOpened(t, err)
		})
	}
}
