package callback

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"
)

const (
	maxAnswer  = 64 << 10    // bytes that are read of an answer, and of its headers
	maxExcerpt = 100         // characters of an answer that reach a Receipt
	drainTime  = time.Second // the time to read a body that does not matter, so that the connection can be reused
)

// attempt is the state of one Deliver.
type attempt struct {
	host    context.Context // the caller's context
	call    context.Context // the caller's context with the time-out
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
	case resp.StatusCode < 200: // 101: the body would be the bare connection, which has no time-out
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
	r.RetryAfter = ParseRetryAfter(resp.Header.Get("Retry-After"), answered(resp), MaxRetryAfter)
	return r
}

// answered returns when an answer was made, by the clock of who made it: the dates in it are of that clock, and the one
// of this machine may be wrong. An answer without a date was made now.
func answered(resp *http.Response) time.Time {
	at, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return time.Now()
	}
	return at
}

// drain reads a body that does not matter, because a connection is reused only after the whole answer was read. It
// does not wait for a slow or long body.
func (a *attempt) drain(body io.Reader) {
	defer time.AfterFunc(drainTime, a.cancel).Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(body, maxAnswer)) // the callback is already acknowledged
}

// isOK accepts ASCII letters only: Unicode case folding would accept the Kelvin sign as a K.
func isOK(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) == 2 && body[0]|0x20 == 'o' && body[1]|0x20 == 'k'
}

// failure turns an error into a fixed text, because the error's own text may hold the URL.
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

// longNumber matches what could be a card number in a text of a merchant.
var longNumber = regexp.MustCompile(`\p{Nd}(?:[ .-]?\p{Nd}){11,}`)

// excerpt returns the beginning of a text in a form for the log: printable characters only, runs of white space as
// one space, and long numbers removed before the text is cut.
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
