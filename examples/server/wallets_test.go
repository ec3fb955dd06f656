package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// The wallets of a configuration file are saved with the keys that open their tokens, and the error names every
// fault of them.
func TestWalletsOfTheFile(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)
	apple, google := wallettest.NewApple(t, now), wallettest.NewGoogle(t, now)
	keys := func(secrets []store.Secret) (texts []string) {
		for _, secret := range secrets {
			texts = append(texts, secret.Reveal())
		}
		return texts
	}
	type object = map[string]any
	file := func(settings, roots object) string {
		text, err := json.Marshal(object{
			"merchants": []object{{"id": "m1", "key": "k1", "password": "a-password-of-many-letters"}},
			"wallets":   []object{settings}, "wallet_roots": roots,
		})
		require.NoError(t, err)
		return string(text)
	}
	settings := object{
		"merchant": "m1",
		"applepay": object{
			"environment": "TEST", "merchant_identifier": apple.MerchantID, "country": "US",
			"processing_keys": keys(apple.Config(t).ProcessingKeys),
		},
		"googlepay": object{"environment": "TEST", "gateway": "tollgate", "private_keys": keys(google.Config(t).Keys)},
	}
	roots := object{
		"applepay":  object{"TEST": apple.Config(t).Roots},
		"googlepay": object{"TEST": json.RawMessage(google.Config(t).RootKeys)},
	}
	for _, c := range []struct{ name, text, decodes, saves string }{
		{"fine", file(settings, roots), "", ""},
		{"no roots", file(settings, object{}), "", "wallets[0]: gateway: wallets of \"m1\": applepay.processing_keys: Config.Wallets has no roots for TEST"},
		{"roots that are not certificates", file(settings, object{"applepay": object{"TEST": []string{"x"}}}), "", `Config.Wallets.Apple["TEST"]`},
		{"no list", file(settings, object{"applepay": object{"TEST": "x"}}), "wallet_roots.applepay.TEST: must be a list", ""},
		{"no environment", file(settings, object{"googlepay": object{"LIVE": "x"}}), "wallet_roots.googlepay.LIVE: is not known", ""},
		{"no wallet", file(settings, object{"pay": object{}}), "wallet_roots.pay: is not known", ""},
		{"another merchant's", file(object{"merchant": "m9"}, roots), "", `wallets[0]: gateway: merchant "m9"`},
		{"a key that is not a text", file(object{"merchant": "m1", "applepay": object{"private_key": 7}}, roots), "wallets[0].applepay:", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rs, err := decodeRecords([]byte(c.text))
			if c.decodes != "" {
				require.ErrorContains(t, err, c.decodes)
				return
			}
			require.NoError(t, err)
			acquirer, err := vcard.New(vcard.Config{Store: memory.New(), Secret: store.NewSecret("a-secret-of-an-acquirer"),
				PublicURL: "http://acquirer.invalid"})
			require.NoError(t, err)
			gw, err := gateway.New(gateway.Config{
				Store: memory.New(), Keys: newMemoryKeys(), Connectors: map[string]methods.Connector{connector: acquirer},
				PublicURL: "http://pay.invalid", Wallets: rs.roots,
			})
			if err == nil {
				err = rs.save(t.Context(), gw, acquirer)
			}
			if c.saves != "" {
				require.ErrorContains(t, err, c.saves)
				return
			}
			require.NoError(t, err)
		})
	}
}
