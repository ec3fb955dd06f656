package wallet_test

import (
	"crypto/ecdsa"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

func TestAppleOpens(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewApple(t, clock())
	issuer.Keys = []*ecdsa.PrivateKey{wallettest.NewKey(t), wallettest.NewKey(t)}
	a := apple(t, issuer.Config(t))
	for _, c := range []struct {
		name   string
		change func(*wallettest.AppleToken)
	}{
		{"as it comes", func(*wallettest.AppleToken) {}},
		{"application data", func(m *wallettest.AppleToken) { m.ApplicationData = make([]byte, 32) }},
		{"as a text", func(m *wallettest.AppleToken) { m.AsString = true }},
		{"an older key", func(m *wallettest.AppleToken) { m.Key = issuer.Keys[1] }},
		{"lengths of DER", func(m *wallettest.AppleToken) { m.CMS = func(c *wallettest.CMS) { c.Definite = true } }},
		{"digest without parameters", func(m *wallettest.AppleToken) { m.CMS = func(c *wallettest.CMS) { c.Parameters = nil } }},
		{"certificates the other way", func(m *wallettest.AppleToken) {
			m.CMS = func(c *wallettest.CMS) {
				c.Certificates[0], c.Certificates[1] = c.Certificates[1], c.Certificates[0]
			}
		}},
		{"an unknown attribute", func(m *wallettest.AppleToken) {
			m.CMS = func(c *wallettest.CMS) { c.Replace(wallettest.NewAttribute(t, "1.2.840.113549.1.9.52", "x")) }
		}},
		{"more in the sealed part", func(m *wallettest.AppleToken) { m.Payload = put("merchantTokenMetadata", map[string]any{}) }},
		{"null for nothing", func(m *wallettest.AppleToken) {
			m.Edit = put("paymentData.header.applicationData", json.RawMessage("null"))
		}},
		{"upper hexadecimal", func(m *wallettest.AppleToken) {
			m.Edit = put("paymentData.header.transactionId", strings.ToUpper(hex.EncodeToString(m.TransactionID)))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			id := make([]byte, 32)
			id[0], id[31] = 0xab, byte(len(c.name))
			token := wallettest.MintApple(t, issuer,
				func(m *wallettest.AppleToken) { m.TransactionID = id; m.Holder = "A. Payer" }, c.change)
			opened, err := a.Open(token, clock())
			requireOpened(t, err)
			require.Equal(t, wallettest.PAN, opened.PAN.Digits())
			require.Equal(t, wallettest.Cryptogram, opened.Cryptogram.Reveal())
			opened.PAN, opened.Cryptogram = store.PAN{}, store.Secret{}
			require.Equal(t, &wallet.Opened{
				Expiry: store.Expiry{Year: 2030, Month: 12}, Holder: "A. Payer", ECI: "5",
				PANType: "dpan", AuthMethod: "CRYPTOGRAM_3DS", Network: "Visa", Currency: "840", MinorAmount: "1999",
				MessageID: hex.EncodeToString(id), Until: clock().Add(5 * time.Minute),
			}, opened)
		})
	}
}

// requireOpened fails with the cause, which the error text does not have.
func requireOpened(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(causeOf(t, err))
	}
}

func TestAppleWindow(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewApple(t, clock())
	config := issuer.Config(t)
	config.Window = time.Minute
	narrow, wide := apple(t, config), apple(t, issuer.Config(t))
	token := wallettest.MintApple(t, issuer)
	for _, c := range []struct {
		name   string
		opener *wallet.Apple
		now    time.Duration
		cause  string
	}{
		{"last moment", wide, 5 * time.Minute, ""},
		{"first moment", wide, -5 * time.Minute, ""},
		{"too late", wide, 5*time.Minute + 1, "signingTime: too long ago"},
		{"too early", wide, -5*time.Minute - 1, "signingTime: in the future"},
		{"narrower window", narrow, time.Minute, ""},
		{"too late for it", narrow, time.Minute + 1, "signingTime: too long ago"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.cause != "" {
				require.Equal(t, c.cause, refused(t, c.opener, token, clock().Add(c.now)))
				return
			}
			opened, err := c.opener.Open(token, clock().Add(c.now))
			requireOpened(t, err)
			require.False(t, clock().Add(c.now).After(opened.Until))
		})
	}
}

// A printed opener or card shows no key, number or cryptogram.
func TestNothingIsPrinted(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewApple(t, clock())
	config := issuer.Config(t)
	a := apple(t, config)
	opened, err := a.Open(wallettest.MintApple(t, issuer), clock())
	requireOpened(t, err)
	secret, err := issuer.Keys[0].Bytes()
	require.NoError(t, err)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		text := fmt.Sprintf(verb+verb+verb, config, a, opened)
		require.NotContains(t, text, wallettest.PAN)
		require.NotContains(t, text, hex.EncodeToString([]byte(wallettest.PAN)))
		require.NotContains(t, text, wallettest.Cryptogram)
		require.NotContains(t, text, hex.EncodeToString(secret))
		require.NotContains(t, text, "PRIVATE")
	}
}
