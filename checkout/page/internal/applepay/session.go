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

// The faults of a request for a merchant session. The errors hold no key and no answer of the wallet.
var (
	errMerchantKey  = errors.New("the merchant certificate and its key cannot be used")
	errAppleStatus  = errors.New("the wallet refused it")
	errAppleSession = errors.New("the wallet sent no merchant session")
)

// Ask gets a merchant session from the wallet, with the merchant's certificate. host is the host in the browser's
// request.
func (c *Client) Ask(
	ctx context.Context, address string, who *gateway.WalletIdentity, host string,
) (json.RawMessage, error) {
	pair, err := tls.X509KeyPair([]byte(who.Certificate), []byte(who.PrivateKey.Reveal()))
	if err != nil {
		return nil, errMerchantKey // its own text may quote parts of the key
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

// client makes a client for one request: every merchant has a certificate of its own. It uses no proxy from the
// environment, because only the wallet may see that certificate.
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

// readSession reads a merchant session. Only its form is known: a JSON object.
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
