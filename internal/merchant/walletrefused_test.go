package merchant_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

// tokenNames are the names of the token in each protocol.
var tokenNames = map[store.Protocol]string{
	store.Checkout: "wallet_token", store.S2SCard: "payment_token", store.S2SAPM: "parameters[paymentToken]",
}

// google and appleWith make tokens with a fault.
func google(change func(*wallettest.GoogleToken)) func(testing.TB, *kerneltest.WalletKit) string {
	return func(t testing.TB, k *kerneltest.WalletKit) string {
		return k.TokenFor(t, wallet.GooglePay, 12, 2030, change)
	}
}

func appleWith(change func(*wallettest.AppleToken)) func(testing.TB, *kerneltest.WalletKit) string {
	return func(t testing.TB, k *kerneltest.WalletKit) string {
		return string(wallettest.MintApple(t, k.Apple, func(m *wallettest.AppleToken) { m.Amount = 1000; change(m) }))
	}
}

// badTokens are refused if there are keys, with one public text and the cause in the log.
var badTokens = []struct {
	name, method, cause string
	token               func(testing.TB, *kerneltest.WalletKit) string
}{
	{"not JSON", wallet.GooglePay, "not JSON", func(testing.TB, *kerneltest.WalletKit) string { return "ya29.abc" }},
	{"not a token", wallet.GooglePay, "", func(testing.TB, *kerneltest.WalletKit) string { return "{}" }},
	{"the other wallet's", wallet.ApplePay, "", google(func(*wallettest.GoogleToken) {})},
	{"too long", wallet.GooglePay, "too long",
		func(testing.TB, *kerneltest.WalletKit) string { return `"` + strings.Repeat("x", 20<<10) + `"` }},
	{"of another environment", wallet.GooglePay, "", func(t testing.TB, k *kerneltest.WalletKit) string {
		other := wallettest.NewGoogle(t, kerneltest.Opening)
		other.GatewayMerchantID, other.Keys = k.Google.GatewayMerchantID, k.Google.Keys
		return string(wallettest.MintGoogle(t, other))
	}},
	{"of another environment of wallet A", wallet.ApplePay, "", func(t testing.TB, k *kerneltest.WalletKit) string {
		other := wallettest.NewApple(t, kerneltest.Opening)
		other.MerchantID, other.Keys = k.Apple.MerchantID, k.Apple.Keys
		return string(wallettest.MintApple(t, other, func(m *wallettest.AppleToken) { m.Amount = 1000 }))
	}},
	{"another merchant's", wallet.GooglePay, "merchant",
		google(func(m *wallettest.GoogleToken) { m.GatewayMerchantID = kerneltest.OtherKey })},
	{"under the live key by the test key's", wallet.GooglePay, "merchant", google(func(m *wallettest.GoogleToken) { m.GatewayMerchantID = gatewaytest.TestKey })},
	{"for another gateway", wallet.GooglePay, "", google(func(m *wallettest.GoogleToken) { m.Recipient = "gateway:other" })},
	{"expired", wallet.GooglePay, "expired", google(func(m *wallettest.GoogleToken) { m.Expires = kerneltest.Opening })},
	{"signed long ago", wallet.ApplePay, "ago",
		appleWith(func(m *wallettest.AppleToken) { m.At = kerneltest.Opening.Add(-48 * time.Hour) })},
	{"altered", wallet.GooglePay, "", google(func(m *wallettest.GoogleToken) {
		m.Inner = func(inner map[string]any) { inner["signature"] = "AAAA" }
	})},
	{"a card that has expired", wallet.GooglePay, "the card has expired", google(func(m *wallettest.GoogleToken) { m.Month, m.Year = 1, 2027 })},
	{"another amount", wallet.ApplePay, "another amount", appleWith(func(m *wallettest.AppleToken) { m.Amount = 1001 })},
	{"the amount with a digit less", wallet.ApplePay, "another amount", appleWith(func(m *wallettest.AppleToken) { m.Amount = 100 })},
	{"another currency", wallet.ApplePay, "another currency", appleWith(func(m *wallettest.AppleToken) { m.Currency = "978" })},
}

func TestWalletTokenRefused(t *testing.T) {
	t.Parallel()
	for _, support := range methods.WalletSupports() {
		k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(support, true))
		for _, p := range kerneltest.Protocols {
			for _, c := range badTokens {
				order := string(p) + c.name
				_, err := k.PayWith(t, p, order, c.method, c.token(t, k))
				require.Equal(t, []string{tokenNames[p] + kerneltest.NotValid}, kerneltest.RefusedFields(t, err), "%s %s",
					support, order)
				k.Nothing(t, order)
				require.Contains(t, k.Log.String(), c.cause)
			}
		}
		require.NotContains(t, k.Log.String(), wallettest.PAN)
		require.NotContains(t, k.Log.String(), wallettest.Cryptogram)
	}
}

// A missing token is a blank field.
func TestWalletTokenMissing(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	for _, p := range kerneltest.Protocols {
		_, err := k.PayWith(t, p, "ORD-"+string(p), wallet.GooglePay, "")
		require.Equal(t, []string{tokenNames[p] + ": This value should not be blank."}, kerneltest.RefusedFields(t, err))
	}
}

// A token pays once, whatever the second request is: another order, another protocol, another instance.
func TestWalletTokenReplayed(t *testing.T) {
	t.Parallel()
	for _, support := range []methods.WalletSupport{methods.WalletDecrypted, methods.WalletStored, methods.WalletVirtual} {
		for _, method := range []string{wallet.ApplePay, wallet.GooglePay} {
			t.Run(string(support)+" "+method, func(t *testing.T) {
				t.Parallel()
				k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(support, true))
				token := k.TokenFor(t, method, 12, 2030)
				_, err := k.PayWith(t, store.S2SAPM, "ORD-1", method, token)
				require.NoError(t, err)
				k.Clock.Set(k.Clock.Now().Add(time.Minute))
				for _, p := range []store.Protocol{store.Checkout, store.S2SAPM} {
					_, err = k.PayWith(t, p, "ORD-2"+string(p), method, token)
					require.Equal(t, []string{tokenNames[p] + kerneltest.NotValid}, kerneltest.RefusedFields(t, err))
					k.Nothing(t, "ORD-2"+string(p))
				}
				if method == wallet.ApplePay { // the id in other letter case is the same id
					_, err = k.PayWith(t, store.S2SAPM, "ORD-3", method, upperID(t, token))
					require.Equal(t, []string{tokenNames[store.S2SAPM] + kerneltest.NotValid}, kerneltest.RefusedFields(t, err))
				}
				require.Contains(t, k.Log.String(), "used before")
				marks := 0
				require.NoError(t, k.Store.View(t.Context(), func(r store.Reader) error {
					marks = 0
					for entry := range r.Scan(store.Range{Prefix: store.Key("wr"), Limit: 10}) {
						until, err := time.Parse(time.RFC3339Nano, string(entry.Value))
						require.NoError(t, err)
						require.True(t, until.After(k.Clock.Now()))
						marks++
					}
					return nil
				}))
				require.Equal(t, 1, marks)
			})
		}
	}
}

func upperID(t testing.TB, token string) string {
	t.Helper()
	_, rest, ok := strings.Cut(token, `"transactionId":"`)
	require.True(t, ok)
	id := rest[:64]
	return strings.Replace(token, `"transactionId":"`+id, `"transactionId":"`+strings.ToUpper(id), 1)
}

// Of concurrent submissions of one token, one pays.
func TestWalletTokenRace(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	token := k.TokenFor(t, wallet.GooglePay, 12, 2030)
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() {
			_, errs[i] = k.Shop().Charge(t.Context(),
				kerneltest.ChargeOf("ORD-"+string(rune('A'+i)), methods.Card{}, func(r *gateway.ChargeRequest) {
					r.Protocol, r.Action, r.Card = store.S2SAPM, "SALE", nil
					r.Method, r.Wallet, r.WalletToken = wallet.GooglePay, wallet.GooglePay, token
				}))
		})
	}
	wg.Wait()
	paid := 0
	for _, err := range errs {
		if err == nil {
			paid++
			continue
		}
		require.Equal(t, []string{"parameters[paymentToken]" + kerneltest.NotValid}, kerneltest.RefusedFields(t, err))
	}
	require.Equal(t, 1, paid)
	require.Len(t, k.Charges(t), 1)
}

// Submitting the same form twice makes one payment and is no replay: the second submission shows its state.
func TestWalletFormTwice(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{wallet.GooglePay}
	session, in := k.SessionOf(t, r), gateway.Submission{WalletToken: k.TokenFor(t, wallet.GooglePay, 12, 2030)}
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() { _, errs[i] = k.PaySession(t.Context(), session, in) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Len(t, k.Charges(t), 1)
}

// A declined token is used up: the payer needs a new one from the wallet.
func TestWalletAfterDecline(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{wallet.GooglePay}
	session, token := k.SessionOf(t, r), k.TokenFor(t, wallet.GooglePay, 2, 2038)
	next := kerneltest.Submit(k.Kit, t, session, gateway.Submission{WalletToken: token})
	require.Equal(t, gateway.ActionCollect, next.Kind)
	_, err := k.PaySession(t.Context(), session, gateway.Submission{Attempt: next.Attempt, WalletToken: token})
	require.Equal(t, []string{"wallet_token" + kerneltest.NotValid}, kerneltest.RefusedFields(t, err))
	next = kerneltest.Submit(k.Kit, t, session,
		gateway.Submission{Attempt: next.Attempt, WalletToken: k.TokenFor(t, wallet.GooglePay, 1, 2038)})
	require.Equal(t, gateway.ActionReturn, next.Kind)
}

// On the page the auth methods and networks of the settings apply to the token; on S2S they do not (decision z).
func TestWalletSettingsHoldOnThePage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, method string
		save         func(*store.Wallets)
		token        func(*wallettest.GoogleToken)
	}{
		{"auth method", wallet.GooglePay, func(w *store.Wallets) { w.Google.AuthMethods = []string{wallet.Cryptogram3DS} },
			kerneltest.PANOnly},
		{"network", wallet.GooglePay, func(w *store.Wallets) { w.Google.Networks = []string{"MASTERCARD"} }, func(*wallettest.GoogleToken) {}},
		{"a network that is not asked for", wallet.GooglePay, func(*store.Wallets) {}, func(m *wallettest.GoogleToken) { m.Network = "AMEX" }},
		{"network of wallet A", wallet.ApplePay, func(w *store.Wallets) { w.Apple.Networks = []string{"amex"} }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
			k.Configure(t, c.save)
			mint := func() string {
				if c.token == nil {
					return k.TokenFor(t, c.method, 12, 2030)
				}
				return k.TokenFor(t, c.method, 12, 2030, c.token)
			}
			_, err := k.PayWith(t, store.Checkout, "ORD-1", c.method, mint())
			require.Equal(t, []string{"wallet_token" + kerneltest.NotValid}, kerneltest.RefusedFields(t, err))
			require.Contains(t, k.Log.String(), "is not allowed")
			for _, p := range []store.Protocol{store.S2SCard, store.S2SAPM} {
				paid, err := k.PayWith(t, p, string(p), c.method, mint())
				require.NoError(t, err)
				require.Equal(t, store.Settled, paid.Status)
			}
			k.Configure(t, c.save, kerneltest.Keyless) // without keys, the network shown with the token counts
			if _, err = k.PayWith(t, store.Checkout, "ORD-2", c.method, mint()); c.name == "auth method" {
				require.NoError(t, err)
			} else {
				require.Equal(t, []string{"wallet_token" + kerneltest.NotValid}, kerneltest.RefusedFields(t, err))
			}
		})
	}
}

// Card data that comes with a token pays, and the token is ignored (CARD562, precedence).
func TestCardBeatsWallet(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	paid := kerneltest.Pay(t, k.Kit, "ORD-1", gatewaytest.Settles,
		func(r *gateway.ChargeRequest) { r.Wallet, r.WalletToken = wallet.GooglePay, "{}" })
	require.Equal(t, store.Settled, paid.Status)
	require.Nil(t, paid.Wallet)
}
