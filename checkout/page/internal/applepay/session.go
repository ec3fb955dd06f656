package applepay

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/tollgatepay/gateway"
)

const (
	maxAppleSession = 64 << 10 // bytes of a merchant session
	appleTimeout    = 10 * time.Second
)

// What went wrong on the way to a merchant session. The errors say nothing of keys or of what the wallet answers.
var (
	errMerchantKey  = errors.New("the merchant certificate and its key cannot be used")
	errAppleStatus  = errors.New("the wallet refused it")
	errAppleSession = errors.New("the wallet sent no merchant session")
)

// Ask gets a merchant session from the wallet, with the certificate of the merchant. Host is what the browser asked
// for.
func (c *Client) Ask(
	ctx context.Context, address string, who *gateway.WalletIdentity, host string,
) (json.RawMessage, error) {
	pair, err := tls.X509KeyPair([]byte(who.Certificate), []byte(who.PrivateKey.Reveal()))
	if err != nil {
		return nil, errMerchantKey // its own words may name parts of what was entered
	}
	body, err := json.Marshal(map[string]string{
		"merchantIdentifier": who.Identifier, "displayName": who.ShopName,
		"initiative": "web", "initiativeContext": cmp.Or(c.Domain, host),
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, appleTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := c.client(pair).Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	return readSession(answer)
}

// client is for one request: every merchant has a certificate of its own, and shows it to the wallet, not to a proxy
// that the environment happens to name.
func (c *Client) client(pair tls.Certificate) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{
				Certificates: []tls.Certificate{pair}, RootCAs: c.Roots, MinVersion: tls.VersionTLS12,
			},
			DisableKeepAlives: true, MaxResponseHeaderBytes: 32 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// readSession takes a merchant session, which is opaque: a JSON object and no more is known of it.
func readSession(answer *http.Response) (json.RawMessage, error) {
	if answer.StatusCode != http.StatusOK {
		return nil, errAppleStatus
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAppleSession+1))
	if err != nil || len(text) > maxAppleSession {
		return nil, errAppleSession
	}
	if text = bytes.TrimSpace(text); !bytes.HasPrefix(text, []byte("{")) || !json.Valid(text) {
		return nil, errAppleSession
	}
	return text, nil
}
