package wallet_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

// fixture is a file of testdata: tokens that never change, with the test keys and the day for which they are
// valid.
type fixture struct {
	Now               time.Time
	MerchantID        string
	Root              string
	ProcessingKey     string
	Recipient         string
	GatewayMerchantID string
	RootKeys          string
	Key               string
	Tokens            []json.RawMessage
}

func read(t testing.TB, file string) fixture {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	var f fixture
	require.NoError(t, json.Unmarshal(data, &f))
	require.Len(t, f.Tokens, 2)
	for i, token := range f.Tokens { // the file is indented, a token is not
		var v any
		require.NoError(t, json.Unmarshal(token, &v))
		f.Tokens[i] = wallettest.JSON(t, v)
	}
	return f
}

func appleFixture(t testing.TB) (fixture, *wallet.Apple) {
	t.Helper()
	f := read(t, "apple.json")
	return f, apple(t, wallet.AppleConfig{
		Environment: wallet.Production, MerchantID: f.MerchantID, Roots: []string{f.Root},
		ProcessingKeys: []store.Secret{store.NewSecret(f.ProcessingKey)},
	})
}

func googleFixture(t testing.TB) (fixture, *wallet.Google) {
	t.Helper()
	f := read(t, "google.json")
	return f, google(t, wallet.GoogleConfig{
		Environment: wallet.Production, Recipient: f.Recipient, GatewayMerchantID: f.GatewayMerchantID,
		Keys: []store.Secret{store.NewSecret(f.Key)}, RootKeys: f.RootKeys,
	})
}

// TestFixtures opens tokens of an earlier day. OpenSSL made the signature of the first token of wallet A.
func TestFixtures(t *testing.T) {
	t.Parallel()
	a, appleOpener := appleFixture(t)
	g, googleOpener := googleFixture(t)
	for _, c := range []struct {
		name    string
		opener  opener
		fixture fixture
	}{{"apple", appleOpener, a}, {"google", googleOpener, g}} {
		for i, token := range c.fixture.Tokens {
			t.Run(c.name+string(rune('0'+i)), func(t *testing.T) {
				t.Parallel()
				opened, err := c.opener.Open(token, c.fixture.Now)
				requireOpened(t, err)
				require.Equal(t, wallettest.PAN, opened.PAN.Digits())
				refused(t, c.opener, token, c.fixture.Now.AddDate(0, 1, 0))
			})
		}
	}
}
