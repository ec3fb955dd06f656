package callback

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"
)

// DefaultTimeout is the time one attempt of HTTPNotifier may take. The specification names none.
const DefaultTimeout = 10 * time.Second

const (
	maxAnswer    = 64 << 10         // bytes of an answer that are read, and of its headers
	maxExcerpt   = 100              // characters of an answer that reach a Receipt
	drainTime    = time.Second      // spent on a body that does not matter, to keep the connection
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
	RootCAs *x509.CertPool // who may sign a merchant's certificate; nil means the host's own set

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
	defer func() { _ = resp.Body.Close() }() // nothing is left to learn from it
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

// build makes the transport. It is used without http.Client, which is what follows redirects.
func (n *HTTPNotifier) build() {
	n.transport = &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			// The transport may go on dialling for a later request when this one has ended.
			ctx, cancel := context.WithTimeout(ctx, n.timeout())
			defer cancel()
			return n.Dial.DialContext(ctx, network, address)
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: n.RootCAs},
		TLSHandshakeTimeout:    n.timeout(),
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // the answer is two letters; a compressed one could be a bomb
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdleHost,
		MaxConnsPerHost:        maxConnsHost,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxAnswer,
	}
}

// request errors are the Detail of a Receipt: they do not repeat the URL, which may hold a secret.
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
		// Not sent, since it is empty: it tells the transport that the request may be repeated when a kept
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

// attempt is what Deliver knows while it waits.
type attempt struct {
	host    context.Context // the caller's
	call    context.Context // with the time-out
	cancel  context.CancelFunc
	started atomic.Bool // the merchant's server was called

	untrusted atomic.Bool // the TLS handshake failed
}

func (a *attempt) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		ConnectStart: func(string, string) { a.started.Store(true) },
		GotConn:      func(httptrace.GotConnInfo) { a.started.Store(true) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			if err != nil {
				a.untrusted.Store(true)
			}
		},
	}
}

func (a *attempt) judge(resp *http.Response, requireOK bool) Receipt {
	success := resp.StatusCode/100 == 2
	r := Receipt{Verdict: Refused, Status: resp.StatusCode, Detail: "status " + strconv.Itoa(resp.StatusCode)}
	switch {
	case resp.StatusCode < 200: // 101: the body would be the bare connection, which knows no time-out
		return r
	case success && !requireOK:
		a.drain(resp.Body)
		return Receipt{Verdict: Accepted, Status: resp.StatusCode}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch {
	case err != nil:
		return a.failure(err, resp.StatusCode)
	case success && isOK(body):
		return Receipt{Verdict: Accepted, Status: resp.StatusCode}
	case success:
		r.Detail += ", body is not OK"
	case resp.StatusCode/100 == 3:
		r.Detail += ", redirects are not followed"
	}
	if text := excerpt(string(body)); text != "" {
		r.Detail += ": " + text
	}
	r.RetryAfter = ParseRetryAfter(resp.Header.Get("Retry-After"), time.Now(), MaxRetryAfter)
	return r
}

// drain reads a body whose content does not matter, for a connection is used again only when the answer
// was read. A body that is slow or long is not waited for.
func (a *attempt) drain(body io.Reader) {
	defer time.AfterFunc(drainTime, a.cancel).Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(body, maxAnswer)) // the callback is already acknowledged
}

// isOK takes ASCII letters only: by Unicode folding the Kelvin sign would pass as a K.
func isOK(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) == 2 && body[0]|0x20 == 'o' && body[1]|0x20 == 'k'
}

// failure puts an error into fixed words: an error's own text may hold the URL.
func (a *attempt) failure(err error, status int) Receipt {
	r := Receipt{Verdict: Refused, Status: status}
	switch {
	case errors.Is(err, ErrAddress):
		r.Detail = "address not allowed"
	case errors.Is(a.host.Err(), context.Canceled):
		r.Detail = "delivery cancelled"
	case a.overdue(err) && !a.started.Load():
		r.Detail = "name not resolved or no connection free in time"
	case a.overdue(err):
		r.Verdict, r.Detail = TimedOut, "no complete answer in time"
	default:
		r.Detail = a.reason(err)
	}
	return r
}

func (a *attempt) overdue(err error) bool {
	var network net.Error
	return errors.Is(a.call.Err(), context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout()
}

func (a *attempt) reason(err error) string {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &name):
		return "name not resolved"
	case errors.As(err, &certificate):
		return "certificate not valid"
	case a.untrusted.Load():
		return "TLS handshake failed"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	}
	return "connection failed or answer not valid"
}

// longNumber finds what could be a card number in a text that a merchant wrote.
var longNumber = regexp.MustCompile(`\p{Nd}(?:[ .-]?\p{Nd}){11,}`)

// excerpt is the beginning of a text, fit for a log line: printable characters only, runs of white space
// as one space, long numbers removed before the text is cut.
func excerpt(text string) string {
	text = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, text)
	text = longNumber.ReplaceAllString(strings.Join(strings.Fields(text), " "), "[number]")
	if cut := []rune(text); len(cut) > maxExcerpt {
		text = string(cut[:maxExcerpt])
	}
	return text
}
