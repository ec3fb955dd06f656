package wallet_test

import (
	"crypto/ecdsa"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

func TestGoogleOpens(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewGoogle(t, clock())
	issuer.Keys = []*ecdsa.PrivateKey{wallettest.NewKey(t), wallettest.NewKey(t)}
	g := google(t, issuer.Config(t))
	panOnly := func(m *wallettest.GoogleToken) { m.AuthMethod = wallet.PANOnly }
	for _, c := range []struct {
		name    string
		network string
		change  func(*wallettest.GoogleToken)
	}{
		{"as it comes", "VISA", func(*wallettest.GoogleToken) {}},
		{"as an object", "VISA", func(m *wallettest.GoogleToken) { m.AsObject = true }},
		{"bare", "", func(m *wallettest.GoogleToken) { m.Bare = true }},
		{"PAN only", "VISA", panOnly},
		{"an older key", "VISA", func(m *wallettest.GoogleToken) { m.Key = issuer.Keys[1] }},
		{"one of two signatures", "VISA", func(m *wallettest.GoogleToken) {
			m.Signers = []*ecdsa.PrivateKey{wallettest.NewKey(t), issuer.Root}
		}},
		{"signed parts as objects", "VISA", func(m *wallettest.GoogleToken) {
			m.AsObject = true
			m.Inner = func(inner map[string]any) {
				inner["signedMessage"] = json.RawMessage(inner["signedMessage"].(string))
				put("intermediateSigningKey.signedKey",
					json.RawMessage(at(inner, "intermediateSigningKey")["signedKey"].(string)))(inner)
			}
		}},
		{"one digit of a month", "VISA", func(m *wallettest.GoogleToken) { m.Month = 2 }},
		{"more around", "VISA", func(m *wallettest.GoogleToken) { m.Edit = put("email", "payer@example.com") }},
		{"direct", "VISA", func(m *wallettest.GoogleToken) { m.Edit = put("paymentMethodData.tokenizationData.type", "DIRECT") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var minted *wallettest.GoogleToken
			token := wallettest.MintGoogle(t, issuer, c.change, func(m *wallettest.GoogleToken) { minted = m })
			opened, err := g.Open(token, clock())
			requireOpened(t, err)
			want := &wallet.Opened{
				Expiry: store.Expiry{Year: 2030, Month: minted.Month}, ECI: "05", PANType: "dpan", Network: c.network,
				AuthMethod: "CRYPTOGRAM_3DS", MessageID: minted.MessageID, Until: clock().Add(time.Hour),
			}
			cryptogram := wallettest.Cryptogram
			if minted.AuthMethod == wallet.PANOnly {
				want.PANType, want.AuthMethod, want.ECI, cryptogram = "fpan", "PAN_ONLY", "", ""
			}
			require.Equal(t, wallettest.PAN, opened.PAN.Digits())
			require.Equal(t, cryptogram, opened.Cryptogram.Reveal())
			opened.PAN, opened.Cryptogram = store.PAN{}, store.Secret{}
			require.Equal(t, want, opened)
		})
	}
}

// A merchant that is the recipient itself has no id at a gateway.
func TestGoogleMerchantRecipient(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewGoogle(t, clock())
	issuer.Recipient, issuer.GatewayMerchantID = "merchant:1234", ""
	g := google(t, issuer.Config(t))
	_, err := g.Open(wallettest.MintGoogle(t, issuer,
		func(m *wallettest.GoogleToken) { m.Payload = put("gatewayMerchantId", nil) }), clock())
	requireOpened(t, err)
	named := wallettest.MintGoogle(t, issuer, func(m *wallettest.GoogleToken) { m.GatewayMerchantID = "other" })
	require.Equal(t, "gatewayMerchantId: another merchant's", refused(t, g, named, clock()))
}

func TestGoogleRootKeys(t *testing.T) {
	t.Parallel()
	issuer := wallettest.NewGoogle(t, clock())
	token := wallettest.MintGoogle(t, issuer)
	live := clock().Add(time.Millisecond)
	other := wallettest.RootKey(t, wallettest.NewKey(t), "ECv2", live)
	old := map[string]any{"keyValue": "of another kind", "protocolVersion": "ECv1"}
	for _, c := range []struct {
		name  string
		keys  []map[string]any
		cause string
	}{
		{"among others", []map[string]any{old, other, wallettest.RootKey(t, issuer.Root, "ECv2", live)}, ""},
		{"expired now", []map[string]any{other, wallettest.RootKey(t, issuer.Root, "ECv2", clock())}, "intermediateSigningKey.signatures: none verifies under a live root key"},
		{"all expired", []map[string]any{wallettest.RootKey(t, issuer.Root, "ECv2", clock())}, "intermediateSigningKey: every root key has expired"},
		{"of another version", []map[string]any{other, wallettest.RootKey(t, issuer.Root, "ECv2SigningOnly", live)}, "intermediateSigningKey.signatures: none verifies under a live root key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := issuer.Config(t)
			config.RootKeys = wallettest.RootKeys(t, c.keys...)
			g := google(t, config)
			if c.cause != "" {
				require.Equal(t, c.cause, refused(t, g, token, clock()))
				return
			}
			_, err := g.Open(token, clock())
			requireOpened(t, err)
		})
	}
}
