package browser_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The buttons of the wallets.
const (
	appleButton  = `.wallet[data-wallet="apple"] .wallet-button`
	googleButton = `.wallet[data-wallet="google"] .wallet-button`
)

// walletSite is a site whose page offers wallets. The gateway behind it charges the card that the token names.
type walletSite struct {
	*site
	walletKernel
	pages string // origin of the page
	apple *httptest.Server
}

// walletKernel is a gateway whose merchant accepts wallets, and which opens tokens of the fake ones.
type walletKernel struct {
	*gateway.Gateway
	choices []gateway.MethodChoice
	terms   bool
	who     *gateway.WalletIdentity
	got     *received
}

// received are the submissions of a page.
type received struct {
	mu   sync.Mutex
	list []gateway.Submission
}

func (r *received) all() []gateway.Submission {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]gateway.Submission(nil), r.list...)
}

// NextAction is the gateway's with the choices of the test.
func (k walletKernel) NextAction(ctx context.Context, token string) (*gateway.NextAction, error) {
	return k.offer(k.Gateway.NextAction(ctx, token))
}

func (k walletKernel) offer(next *gateway.NextAction, err error) (*gateway.NextAction, error) {
	if err == nil && next.Kind == gateway.ActionCollect {
		next.Methods = k.choices
		if k.terms {
			next.TermsURL = "https://shop.example/terms"
		}
	}
	return next, err
}

// PaySession pays with the card that the token names.
func (k walletKernel) PaySession(ctx context.Context, token string, s gateway.Submission) (*gateway.NextAction, error) {
	k.got.mu.Lock()
	k.got.list = append(k.got.list, s)
	k.got.mu.Unlock()
	if s.WalletToken != "" {
		switch {
		case strings.Contains(s.WalletToken, "refused"):
			return nil, gateway.ErrInvalid.Fields(gateway.Fault{Path: "wallet_token", Text: "no"})
		case strings.Contains(s.WalletToken, "declined"):
			s.Card = gatewaytest.Declines
		case strings.Contains(s.WalletToken, "bank"):
			s.Card = gatewaytest.BankPasses
		default:
			s.Card = gatewaytest.Settles
		}
		s.Method, s.WalletToken = "card", ""
	}
	return k.offer(k.Gateway.PaySession(ctx, token, s))
}

// AppleIdentity is that of the test.
func (k walletKernel) AppleIdentity(context.Context, string) (*gateway.WalletIdentity, error) {
	if k.who == nil {
		return nil, gateway.ErrWallet
	}
	return k.who, nil
}

func appleChoice(fields ...gateway.PayerField) gateway.MethodChoice {
	return gateway.MethodChoice{Code: "applepay", Name: "Apple Pay", Kind: methods.KindWallet, Fields: fields,
		Wallet: &gateway.WalletRequest{Apple: &gateway.AppleRequest{
			CountryCode: "DE", CurrencyCode: "USD", MerchantCapabilities: []string{"supports3DS"},
			SupportedNetworks: []string{"visa", "masterCard"},
			Label:             "Test Shop", Amount: "10.00",
		}}}
}

func googleChoice(fields ...gateway.PayerField) gateway.MethodChoice {
	return gateway.MethodChoice{Code: "googlepay", Name: "Google Pay", Kind: methods.KindWallet, Fields: fields,
		Wallet: &gateway.WalletRequest{Google: &gateway.GoogleRequest{
			Environment: store.WalletTest, MerchantName: "Test Shop", Gateway: "tollgate", GatewayMerchantID: "key-1",
			AuthMethods: []string{"PAN_ONLY", "CRYPTOGRAM_3DS"}, Networks: []string{"VISA", "MASTERCARD"},
			CountryCode: "DE", CurrencyCode: "USD", Amount: "10.00",
		}}}
}

func cardChoice(fields ...gateway.PayerField) gateway.MethodChoice {
	return gateway.MethodChoice{Code: "card", Name: "Card", Kind: methods.KindCard, Fields: fields}
}

// newWalletSite starts a page that offers the choices, and the wallet server for its merchant sessions.
func newWalletSite(t *testing.T, choices ...gateway.MethodChoice) *walletSite {
	t.Helper()
	s := &walletSite{site: newSite(t)}
	certificate, key, pool := merchantCertificate(t)
	s.apple = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]string
		_ = json.NewDecoder(r.Body).Decode(&asked)
		asked["certificate"] = r.TLS.PeerCertificates[0].Subject.CommonName
		_ = json.NewEncoder(w).Encode(asked)
	}))
	s.apple.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}
	s.apple.StartTLS()
	t.Cleanup(s.apple.Close)
	s.walletKernel = walletKernel{Gateway: s.site.Gateway, choices: choices, got: &received{},
		who: &gateway.WalletIdentity{
			Identifier: "merchant.example.shop", ShopName: "Test Shop", Environment: store.WalletTest, Certificate: certificate,
			PrivateKey: store.NewSecret(key),
		}}
	s.serve()
	return s
}

// serve starts the page again, for a test that changes the kernel.
func (s *walletSite) serve() { s.serveOn(s.walletKernel) }

// pageKernel is what the page needs of a gateway.
type pageKernel interface {
	NextAction(ctx context.Context, token string) (*gateway.NextAction, error)
	PaySession(ctx context.Context, token string, s gateway.Submission) (*gateway.NextAction, error)
	AnswerSession(ctx context.Context, token string, answers map[string]string) (*gateway.NextAction, error)
	LeaveSession(ctx context.Context, token string) (*gateway.NextAction, error)
	Return(ctx context.Context, token string, back methods.Return) (string, error)
	ReturnPage(ctx context.Context, token string) (string, error)
	Notify(ctx context.Context, token string, note methods.Note) error
	AppleIdentity(ctx context.Context, token string) (*gateway.WalletIdentity, error)
	PublicURL() string
	Now() time.Time
}

func (s *walletSite) serveOn(k pageKernel) {
	roots := x509.NewCertPool()
	roots.AddCert(s.apple.Certificate())
	mux := http.NewServeMux()
	page.Register(mux, k, page.Options{
		Log:   slog.New(slog.NewTextHandler(&strict{t: s.t}, &slog.HandlerOptions{Level: slog.LevelError})),
		Apple: page.Apple{Hosts: []string{strings.TrimPrefix(s.apple.URL, "https://")}, Roots: roots},
	})
	server := httptest.NewServer(mux)
	s.t.Cleanup(server.Close)
	s.pages = server.URL
}

// link is a new session on the page.
func (s *walletSite) link(language string) string {
	r := s.request()
	r.Language = language
	return s.onPage(s.session(r))
}

// onPage is the same link on the page that has the wallets.
func (s *walletSite) onPage(link string) string { return strings.Replace(link, s.base, s.pages, 1) }

// wallets opens a tab whose browser has both wallets, ready or not.
func (s *walletSite) wallets(b *chromium, d device, ready bool) *tab {
	p := b.tab(s.t, d)
	can := "false"
	if ready {
		can = "true"
	}
	p.before(strings.NewReplacer("CAN", can, "VALIDATION",
		s.apple.URL+"/paymentservices/startSession").Replace(fakeWallets))
	return p
}

// merchantCertificate is a certificate under its own root, in PEM.
func merchantCertificate(t *testing.T) (certificate, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "merchant.example.shop"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	bytes, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	pool = x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
		Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: bytes})), pool
}
