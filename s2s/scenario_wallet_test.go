package s2s_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

// tapped plays the two wallets, with which the merchant is registered.
type tapped struct {
	apple  *wallettest.AppleIssuer
	google *wallettest.GoogleIssuer
}

func newTapped(t testing.TB) tapped {
	t.Helper()
	now := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC) // the time at which every kit begins
	w := tapped{wallettest.NewApple(t, now), wallettest.NewGoogle(t, now)}
	w.google.GatewayMerchantID = gatewaytest.MerchantKey
	return w
}

func (w tapped) roots(t testing.TB) gateway.WalletRoots {
	t.Helper()
	return gateway.WalletRoots{
		Apple:  map[store.WalletEnvironment][]string{store.WalletTest: w.apple.Config(t).Roots},
		Google: map[store.WalletEnvironment]string{store.WalletTest: w.google.Config(t).RootKeys},
	}
}

// settings returns the merchant's settings, with or without the keys that open tokens.
func (w tapped) settings(t testing.TB, keys bool) store.Wallets {
	t.Helper()
	s := store.Wallets{
		MerchantID: gatewaytest.MerchantID,
		Apple:      &store.AppleWallet{Environment: store.WalletTest, Identifier: w.apple.MerchantID, Country: "US"},
		Google:     &store.GoogleWallet{Environment: store.WalletTest, Gateway: "tollgate"},
	}
	if keys {
		s.Apple.ProcessingKeys, s.Google.Keys = w.apple.Config(t).ProcessingKeys, w.google.Config(t).Keys
	}
	return s
}

// token returns a token over 10.00 USD: "googlepay 12/2030", or for a card number without a cryptogram "googlepay
// 12/2030 PAN_ONLY".
func (w tapped) token(t testing.TB, words string) string {
	t.Helper()
	parts := strings.Fields(words)
	require.GreaterOrEqual(t, len(parts), 2, words)
	at, err := time.Parse("01/2006", parts[1])
	require.NoError(t, err)
	if parts[0] == wallet.ApplePay {
		return string(wallettest.MintApple(t, w.apple, func(m *wallettest.AppleToken) {
			m.Amount, m.Expiry = 1000, at.AddDate(0, 1, -1).Format("060102")
		}))
	}
	require.Equal(t, wallet.GooglePay, parts[0])
	return string(wallettest.MintGoogle(t, w.google, func(m *wallettest.GoogleToken) {
		m.Month, m.Year = int(at.Month()), at.Year()
		if len(parts) > 2 {
			m.AuthMethod = parts[2]
		}
	}))
}

// wallets sets the merchant's settings: with or without keys.
func (p *stage) wallets(rest string) string {
	p.t.Helper()
	require.Contains(p.t, []string{"with keys", "without keys"}, rest)
	require.NoError(p.t, p.SaveWallets(p.t.Context(), p.tapped.settings(p.t, rest == "with keys")))
	return ""
}

// taps makes a token by the payer's wallet, which the next request may send as {payment_token}.
func (p *stage) taps(rest string) string {
	p.values["payment_token"] = p.tapped.token(p.t, rest)
	return ""
}

// A wallet's token pays by both protocols, and all its faults have one text.
func TestWallets(t *testing.T) {
	t.Parallel()
	s, w := openTapped(t)
	noCard := sale("").with("card_number", "", "card_exp_month", "", "card_exp_year", "", "card_cvv2", "")
	card := func(order, method, token string) fields {
		return signSale(noCard.with("order_id", order, "digital_wallet", method, "payment_token", token))
	}
	apmBy := func(order, method, token string) fields {
		return signAPM(apm(order).with("brand", method, "parameters[paymentToken]", token))
	}
	invalid := ": This value is not valid."
	for i, method := range []string{wallet.ApplePay, wallet.GooglePay} {
		n := strconv.Itoa(i)
		a := s.ok(t, "/post", card("C-"+n, method, w.token(t, method+" 12/2030")), "SUCCESS", "SETTLED")
		require.Equal(t, method, a.get("digital_wallet"))
		require.Equal(t, "dpan", a.get("pan_type"))
		token := w.token(t, method+" 12/2030")
		s.ok(t, "/post-va", apmBy("A-"+n, method, token), "SUCCESS", "SETTLED")
		require.Equal(t, []string{"parameters[paymentToken]" + invalid},
			s.send(t, "/post-va", apmBy("A2-"+n, method, token)).errors())
		require.Equal(t, []string{"payment_token" + invalid}, s.send(t, "/post", card("C2-"+n, method, token)).errors())
		require.Equal(t, []string{"parameters[paymentToken]" + blank},
			s.send(t, "/post-va", apmBy("A3-"+n, method, "")).errors())
	}
	// A card number that was sent too pays, and an invalid token is ignored.
	s.ok(t, "/post", sale("C-9").with("digital_wallet", "googlepay", "payment_token", "{}"), "SUCCESS", "SETTLED")
	require.NoError(t, s.SaveWallets(t.Context(), w.settings(t, false)))
	a := s.send(t, "/post", card("C-10", wallet.GooglePay, w.token(t, "googlepay 12/2030")))
	require.EqualValues(t, 204004, a.body["error_code"], a.text)
	s.ok(t, "/post-va", apmBy("A-10", wallet.GooglePay, w.token(t, "googlepay 12/2030")), "SUCCESS", "SETTLED")
}

func openTapped(t testing.TB) (*shop, tapped) {
	t.Helper()
	w := newTapped(t)
	s := open(t, func(c *gateway.Config) { c.Wallets = w.roots(t) })
	require.NoError(t, s.SaveWallets(t.Context(), w.settings(t, true)))
	return s, w
}
