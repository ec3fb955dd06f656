package kerneltest

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

// IssuersOf are the two wallets, which both know our merchant.
func IssuersOf(t testing.TB) (*wallettest.AppleIssuer, *wallettest.GoogleIssuer) {
	t.Helper()
	apple, google := wallettest.NewApple(t, Opening), wallettest.NewGoogle(t, Opening)
	google.GatewayMerchantID = gatewaytest.MerchantKey
	return apple, google
}

func keyOf(t testing.TB, c wallettest.Certificate) store.Secret {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(c.Key)
	require.NoError(t, err)
	return store.NewSecret(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
}

// Keyless removes the keys of both wallets.
func Keyless(w *store.Wallets) { w.Apple.ProcessingKeys, w.Google.Keys = nil, nil }

// NewWalletKit is a shop with both wallets, at an acquirer with these capabilities.
func NewWalletKit(t testing.TB, can methods.Capabilities, options ...gatewaytest.Option) *WalletKit {
	t.Helper()
	k := &WalletKit{Log: &Logged{}}
	k.Apple, k.Google = IssuersOf(t)
	options = append([]gatewaytest.Option{TrustsInTest(t, k.Apple, k.Google), func(c *gateway.Config) {
		c.Log = slog.New(slog.NewJSONHandler(k.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}}, options...)
	k.Kit, k.Spy = Spied(t, can, true, options...)
	k.Configure(t)
	return k
}

// PANOnly makes a Google token one without a cryptogram.
func PANOnly(m *wallettest.GoogleToken) { m.AuthMethod = wallet.PANOnly }

// RefusedFields are the faults of an error of the form.
func RefusedFields(t testing.TB, err error) []string {
	t.Helper()
	require.ErrorIs(t, err, gateway.ErrInvalid)
	var texts []string
	for _, fault := range gateway.AsError(err).Faults() {
		texts = append(texts, fault.String())
	}
	return texts
}

// TrustsInTest trusts them in TEST, and others in PRODUCTION.
func TrustsInTest(t testing.TB, apple *wallettest.AppleIssuer, google *wallettest.GoogleIssuer) gatewaytest.Option {
	t.Helper()
	others, strangers := IssuersOf(t)
	return func(c *gateway.Config) {
		c.Wallets = gateway.WalletRoots{
			Apple: map[store.WalletEnvironment][]string{
				store.WalletTest: apple.Config(t).Roots, store.WalletProduction: others.Config(t).Roots,
			},
			Google: map[store.WalletEnvironment]string{
				store.WalletTest: google.Config(t).RootKeys, store.WalletProduction: strangers.Config(t).RootKeys,
			},
		}
	}
}

// TakesWallets is an acquirer that can do everything, with this support of wallets.
func TakesWallets(support methods.WalletSupport, holds bool) methods.Capabilities {
	can := Powers(true, time.Minute)
	can.Holds, can.Wallet, can.WalletHolds = true, support, holds
	return can
}

// Logged is what was logged.
type Logged struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

// Write implements io.Writer.
func (l *Logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes.Write(line)
}

// String returns everything that was logged.
func (l *Logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes.String()
}

// WalletKit is a shop with both wallets set up, the two wallets, and an acquirer that records its operations.
type WalletKit struct {
	*gatewaytest.Kit
	Spy    *Spy
	Apple  *wallettest.AppleIssuer
	Google *wallettest.GoogleIssuer
	Log    *Logged
}

// Settings are those of a merchant whose page offers both wallets and whose keys open their tokens.
func (k *WalletKit) Settings(t testing.TB) store.Wallets {
	t.Helper()
	identity := wallettest.NewRoot(t, Opening)
	return store.Wallets{
		MerchantID: gatewaytest.MerchantID,
		Apple: &store.AppleWallet{
			Environment: store.WalletTest, Identifier: k.Apple.MerchantID, Country: "US", ShopName: "The Shop",
			Certificate: identity.PEM(), PrivateKey: keyOf(t, identity), ProcessingKeys: k.Apple.Config(t).ProcessingKeys,
		},
		Google: &store.GoogleWallet{
			Environment: store.WalletTest, Gateway: "tollgate", Keys: k.Google.Config(t).Keys,
		},
	}
}

// Configure stores the settings with changes.
func (k *WalletKit) Configure(t testing.TB, changes ...func(*store.Wallets)) {
	t.Helper()
	w := k.Settings(t)
	for _, change := range changes {
		change(&w)
	}
	require.NoError(t, k.SaveWallets(t.Context(), w))
}

// TokenFor is a wallet's token over 10.00 USD, of a card with this expiry.
func (k *WalletKit) TokenFor(t testing.TB, method string, month, year int,
	changes ...func(*wallettest.GoogleToken)) string {
	t.Helper()
	if method == wallet.ApplePay {
		return string(wallettest.MintApple(t, k.Apple, func(m *wallettest.AppleToken) {
			m.Amount = 1000
			m.Expiry = time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Format("060102")
		}))
	}
	return string(wallettest.MintGoogle(t, k.Google,
		append([]func(*wallettest.GoogleToken){func(m *wallettest.GoogleToken) {
			m.Month, m.Year = month, year
		}}, changes...)...))
}

// PayWith pays 10.00 USD by a token. On Checkout it is what the payer's page sends.
func (k *WalletKit) PayWith(t testing.TB, p store.Protocol, order, method, token string,
	change ...func(*gateway.ChargeRequest)) (*store.Payment, error) {
	t.Helper()
	r := ChargeOf(order, methods.Card{}, append([]func(*gateway.ChargeRequest){func(r *gateway.ChargeRequest) {
		r.Protocol, r.Card, r.Method, r.Wallet, r.WalletToken = p, nil, method, method, token
		if p != store.Checkout {
			r.Action = "SALE"
		}
	}}, change...)...)
	if p != store.Checkout {
		result, err := k.Shop().Charge(t.Context(), r)
		if err != nil {
			return nil, err
		}
		return &result.Payment, nil
	}
	asked := gatewaytest.Request(order, "10.00")
	asked.Methods, asked.Hold = []string{method}, r.Hold
	asked.Extra.RecurringInit, asked.Extra.ReqToken = r.RecurringInit, r.ReqToken
	session := k.SessionOf(t, asked)
	if _, err := k.PaySession(t.Context(), session, gateway.Submission{WalletToken: token}); err != nil {
		return nil, err
	}
	paid := k.Payment(t, order)
	return &paid, nil
}

// Sent is the acquirer's first operation of a payment.
func (k *WalletKit) Sent(t testing.TB, p *store.Payment) methods.Operation {
	t.Helper()
	sends := k.Spy.Sends(p.Transactions[0].ID)
	require.NotEmpty(t, sends)
	return sends[0]
}

// Nothing requires that nothing of an order is stored, and that the acquirer was not called.
func (k *WalletKit) Nothing(t testing.TB, order string) {
	t.Helper()
	for _, p := range ReadBooks(t, k.Kit).Payments {
		require.NotEqual(t, order, p.Order.Number)
	}
	for _, op := range k.Spy.sent {
		require.NotEqual(t, order, op.Order.Number)
	}
}

// Opening is when every kit begins.
var Opening = time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)

// Protocols are the ways a token comes in.
var Protocols = []store.Protocol{store.Checkout, store.S2SCard, store.S2SAPM}

// NotValid ends the message about a value that is not valid.
const NotValid = ": This value is not valid."

// Offering is a session that is paid by these methods.
func Offering(order, amount, currency string, codes ...string) gateway.SessionRequest {
	r := gatewaytest.Request(order, amount)
	r.Order.Currency, r.Methods = currency, codes
	return r
}
