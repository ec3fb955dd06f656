package gateway_test

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
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

// walletKit is a shop with both wallets set up, the two wallets, and an acquirer that notes what it is asked.
type walletKit struct {
	*gatewaytest.Kit
	spy    *spy
	apple  *wallettest.AppleIssuer
	google *wallettest.GoogleIssuer
	log    *logged
}

// logged is what was logged.
type logged struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes.String()
}

// takes is an acquirer that can do everything, and this of wallets.
func takes(support methods.WalletSupport, holds bool) methods.Capabilities {
	can := able(true, time.Minute)
	can.Holds, can.Wallet, can.WalletHolds = true, support, holds
	return can
}

// opening is when every kit begins.
var opening = time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)

// issuersOf are the two wallets, with a merchant who is ours at them.
func issuersOf(t testing.TB) (*wallettest.AppleIssuer, *wallettest.GoogleIssuer) {
	t.Helper()
	apple, google := wallettest.NewApple(t, opening), wallettest.NewGoogle(t, opening)
	google.GatewayMerchantID = gatewaytest.MerchantKey
	return apple, google
}

// rooted trusts them in TEST, and others in PRODUCTION.
func rooted(t testing.TB, apple *wallettest.AppleIssuer, google *wallettest.GoogleIssuer) gatewaytest.Option {
	t.Helper()
	others, strangers := issuersOf(t)
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

// settings are those of a merchant whose page offers both wallets and whose keys open their tokens.
func (k *walletKit) settings(t testing.TB) store.Wallets {
	t.Helper()
	identity := wallettest.NewRoot(t, opening)
	return store.Wallets{
		MerchantID: gatewaytest.MerchantID,
		Apple: &store.AppleWallet{
			Environment: store.WalletTest, Identifier: k.apple.MerchantID, Country: "US", ShopName: "The Shop",
			Certificate: identity.PEM(), PrivateKey: keyOf(t, identity), ProcessingKeys: k.apple.Config(t).ProcessingKeys,
		},
		Google: &store.GoogleWallet{
			Environment: store.WalletTest, Gateway: "tollgate", Keys: k.google.Config(t).Keys,
		},
	}
}

func newWalletKit(t testing.TB, can methods.Capabilities, options ...gatewaytest.Option) *walletKit {
	t.Helper()
	k := &walletKit{log: &logged{}}
	k.apple, k.google = issuersOf(t)
	options = append([]gatewaytest.Option{rooted(t, k.apple, k.google), func(c *gateway.Config) {
		c.Log = slog.New(slog.NewJSONHandler(k.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}}, options...)
	k.Kit, k.spy = spied(t, can, true, options...)
	k.save(t)
	return k
}

// walletKitOn is a kit on an acquirer of the test's own, and not audited: a cascade is for judges of its own.
func walletKitOn(t testing.TB, acquirer methods.Connector) *walletKit {
	t.Helper()
	k := &walletKit{log: &logged{}}
	k.apple, k.google = issuersOf(t)
	k.Kit = gatewaytest.New(t, rooted(t, k.apple, k.google), func(c *gateway.Config) { c.Connectors["vcard"] = acquirer })
	k.save(t)
	return k
}

// save stores the settings, changed.
func (k *walletKit) save(t testing.TB, changes ...func(*store.Wallets)) {
	t.Helper()
	w := k.settings(t)
	for _, change := range changes {
		change(&w)
	}
	require.NoError(t, k.SaveWallets(t.Context(), w))
}

func keyless(w *store.Wallets) { w.Apple.ProcessingKeys, w.Google.Keys = nil, nil }

// token is one of a wallet over 10.00 USD, of a card with this expiry.
func (k *walletKit) token(t testing.TB, method string, month, year int, changes ...func(*wallettest.GoogleToken)) string {
	t.Helper()
	if method == wallet.ApplePay {
		return string(wallettest.MintApple(t, k.apple, func(m *wallettest.AppleToken) {
			m.Amount = 1000
			m.Expiry = time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Format("060102")
		}))
	}
	return string(wallettest.MintGoogle(t, k.google, append([]func(*wallettest.GoogleToken){func(m *wallettest.GoogleToken) {
		m.Month, m.Year = month, year
	}}, changes...)...))
}

func panOnly(m *wallettest.GoogleToken) { m.AuthMethod = wallet.PANOnly }

// protocols are the ways a token comes in.
var protocols = []store.Protocol{store.Checkout, store.S2SCard, store.S2SAPM}

// pay pays 10.00 USD by a token. On Checkout it is what the payer's page sends.
func (k *walletKit) pay(t testing.TB, p store.Protocol, order, method, token string, change ...func(*gateway.ChargeRequest)) (*store.Payment, error) {
	t.Helper()
	r := chargeOf(order, methods.Card{}, append([]func(*gateway.ChargeRequest){func(r *gateway.ChargeRequest) {
		r.Protocol, r.Card, r.Method, r.Wallet, r.WalletToken = p, nil, method, method, token
		if p != store.Checkout {
			r.Action = "SALE"
		}
	}}, change...)...)
	if p != store.Checkout {
		result, err := k.Charge(t.Context(), r)
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

// sent is what the acquirer was asked first of a payment.
func (k *walletKit) sent(t testing.TB, p *store.Payment) methods.Operation {
	t.Helper()
	sends := k.spy.sends(p.Transactions[0])
	require.NotEmpty(t, sends)
	return sends[0]
}

// nothing holds the kit to have stored nothing of an order, and asked nobody.
func (k *walletKit) nothing(t testing.TB, order string) {
	t.Helper()
	for _, p := range read(t, k.Kit).payments {
		require.NotEqual(t, order, p.Order.Number)
	}
	for _, op := range k.spy.sent {
		require.NotEqual(t, order, op.Order.Number)
	}
}

// refusedBy are the faults of an error of the form.
func refusedBy(t testing.TB, err error) []string {
	t.Helper()
	require.ErrorIs(t, err, gateway.ErrInvalid)
	var texts []string
	for _, fault := range gateway.AsError(err).Faults {
		texts = append(texts, fault.String())
	}
	return texts
}

func keyOf(t testing.TB, c wallettest.Certificate) store.Secret {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(c.Key)
	require.NoError(t, err)
	return store.NewSecret(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
}

func softly() vcard.Outcome { return vcard.SoftDecline("Try elsewhere") }

// declared is a puppet with other capabilities.
type declared struct {
	*puppet
	can methods.Capabilities
}

func (d declared) Capabilities() methods.Capabilities { return d.can }
