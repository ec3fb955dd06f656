// Package rest reaches an acquirer over HTTP, and says of every failure whether the acquirer can have done something.
//
// A connector sends a request and reads the reply:
//
//	reply := acquirer.Send(ctx, rest.Request{Path: "/charges", Key: op.Key, Body: charge})
//	return rest.Performed(reply, op, func(c Charge) methods.Answer { ... })
//
// Performed calls the function only for an answer that is whole. Everything else is NotSent where the acquirer
// certainly did nothing, and Unknown where it may have:
//
//	what happened                                            Performed   Found
//	the context had ended; no connection, no TLS             NotSent     Unknown
//	sent, and no answer, or an answer that is cut            Unknown     Unknown
//	2xx or a status of Options.Answers, and a body of JSON   the answer  the answer
//	2xx or a status of Options.Answers, and another body     Unknown     Unknown
//	404                                                      NotSent     NotFound
//	400 401 403 405 406 410 411 413 414 415 422 429 431      NotSent     Unknown
//	every other status, so 3xx, 402, 408, 409, 425 and 5xx   Unknown     Unknown
//
// Nothing of a request or of a body is in a cause, which is logged.
package rest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// DefaultMaxBytes bounds the body of an answer unless Options.MaxBytes does.
const DefaultMaxBytes = 256 << 10

// Options are what an acquirer's API needs. The zero value is the strict choice.
type Options struct {
	// KeyHeader is the header that carries Request.Key, often Idempotency-Key. Empty: the API has the key in its body.
	KeyHeader string
	// Answers are the statuses beside 2xx whose body is an answer of the acquirer, often 402 or 422: for a decline.
	Answers []int
	// MaxBytes bounds the body of an answer. A longer one is dropped, and the outcome is unknown. Default:
	// DefaultMaxBytes.
	MaxBytes int64
	// Transport sends the requests: set it for client certificates or a proxy. Nil: TLS 1.2 and later, no proxy.
	Transport http.RoundTripper
	// Plain allows http beside https to other hosts than this one.
	Plain bool
}

// Client calls the API of one acquirer. It follows no redirects, and sends no request twice by itself. Many goroutines
// may use it.
type Client struct {
	base    string
	options Options
	http    *http.Client
}

// New returns a client for the API below an absolute URL. It returns an error for a URL with a query, a password or a
// fragment, for one without TLS to another host, and for options that cannot be right.
func New(base string, o Options) (*Client, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("rest: the URL of an API is absolute, with https")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return nil, errors.New("rest: the URL of an API has no user, query or fragment")
	case u.Scheme == "http" && !o.Plain && !isHere(u.Hostname()):
		return nil, errors.New("rest: an API at another host is called with https; Options.Plain allows http")
	case o.MaxBytes < 0:
		return nil, errors.New("rest: Options.MaxBytes is negative")
	}
	for _, status := range o.Answers {
		if status < 400 || status > 499 {
			return nil, fmt.Errorf("rest: Options.Answers has %d; only a status from 400 to 499 can be a decline", status)
		}
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Transport == nil {
		o.Transport = newTransport()
	}
	return &Client{base: strings.TrimSuffix(base, "/"), options: o, http: &http.Client{
		Transport:     o.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Must returns the client, for a URL and options that a program has as constants. It panics on an error.
func Must(c *Client, err error) *Client {
	if err != nil {
		panic(err)
	}
	return c
}

func isHere(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func newTransport() *http.Transport {
	return &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
	}
}

// Close closes the connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Send sends a request and reads the answer, until the context ends.
func (c *Client) Send(ctx context.Context, r Request) Reply {
	out, err := c.build(ctx, r)
	if err != nil {
		return Reply{err: err}
	}
	if ctx.Err() != nil {
		return Reply{err: errors.New("the time was over before the request was sent")}
	}
	return c.exchange(out)
}
