package callback

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// DefaultTimeout is the time one attempt of HTTPNotifier may take. The specification names none.
const DefaultTimeout = 10 * time.Second

const (
	idleTime     = 30 * time.Second // an unused connection is closed after this
	maxIdle      = 100
	maxIdleHost  = 2
	maxConnsHost = 32
)

// HTTPNotifier delivers callbacks by HTTP POST. The zero value is ready and strict: public addresses
// only, certificates verified, TLS 1.2 or newer. It must not be copied after first use, and its fields
// must not change then. It is safe for concurrent use.
//
// An attempt follows no redirect, keeps no cookie, uses no proxy, and reads at most 64 KiB of the
// answer. A time-out covers everything from the name lookup to the end of the answer.
type HTTPNotifier struct {
	Timeout time.Duration  // for one attempt; 0 or less means DefaultTimeout
	Dial    Dial           // which addresses may be called
	RootCAs *x509.CertPool // who may sign a merchant's certificate; nil: the host's own set

	once      sync.Once
	transport *http.Transport
}

var _ Notifier = (*HTTPNotifier)(nil)

// Deliver posts d.Body to d.URL. Any 2xx acknowledges the callback; with d.RequireOK the body of the
// answer must also be OK, white space around it and the case of its letters aside (decision g).
// TimedOut means that the merchant's server was called and did not answer completely in time. When ctx
// is cancelled, the name lookup takes too long or no connection comes free, the URL is not to blame and
// the verdict is Refused.
func (n *HTTPNotifier) Deliver(ctx context.Context, d Delivery) Receipt {
	req, err := request(d)
	if err != nil {
		return Receipt{Verdict: Refused, Detail: err.Error()}
	}
	n.once.Do(n.build)
	call, cancel := context.WithTimeout(ctx, n.timeout())
	defer cancel()
	a := attempt{host: ctx, call: call, cancel: cancel}
	resp, err := n.transport.RoundTrip(req.WithContext(httptrace.WithClientTrace(call, a.trace())))
	if err != nil {
		return a.failure(err, 0)
	}
	defer func() { _ = resp.Body.Close() }() // a failed close does not matter
	return a.judge(resp, d.RequireOK)
}

// Close closes the connections kept for reuse. The notifier stays usable.
func (n *HTTPNotifier) Close() {
	n.once.Do(n.build)
	n.transport.CloseIdleConnections()
}

func (n *HTTPNotifier) timeout() time.Duration {
	if n.Timeout > 0 {
		return n.Timeout
	}
	return DefaultTimeout
}

// build makes the transport. It is used without http.Client, which would follow redirects.
func (n *HTTPNotifier) build() {
	n.transport = &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			// The transport may continue to dial for a later request when this one has ended.
			ctx, cancel := context.WithTimeout(ctx, n.timeout())
			defer cancel()
			return n.Dial.DialContext(ctx, network, address)
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: n.RootCAs},
		TLSHandshakeTimeout:    n.timeout(),
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // the answer is two letters; a compressed one could be a decompression bomb
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdleHost,
		MaxConnsPerHost:        maxConnsHost,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxAnswer,
	}
}

// request returns errors for the Detail of a Receipt: they do not repeat the URL, which may hold a secret.
func request(d Delivery) (*http.Request, error) {
	req, err := http.NewRequest(http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil || !callable(req.URL) {
		return nil, errors.New("URL not valid")
	}
	req.Header = http.Header{
		"User-Agent":             {"Tollgate"},
		"Content-Type":           {d.ContentType},
		"X-Tollgate-Callback-Id": {d.ID},
		"X-Tollgate-Attempt":     {strconv.Itoa(d.Attempt)},
		// The header is empty and so is not sent. It tells the transport that the request may be repeated when a kept
		// connection turns out to be closed. Delivery is at least once.
		"X-Idempotency-Key": {},
	}
	return req, nil
}

func callable(u *url.URL) bool {
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}
