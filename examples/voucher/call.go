package voucher

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/tollgatepay/gateway/methods"
)

// maxBody is the most bytes that are read of an answer.
const maxBody = 64 << 10

type request struct {
	method, url string
	header      http.Header
	body        any
}

// reply is the result of a call. unsent says that the request certainly did not arrive.
type reply struct {
	payment
	Token  string `json:"token,omitempty"`
	code   int    // of HTTP; zero without an answer
	err    error
	unsent bool
}

// failure returns what went wrong, for the log. It names no URL and no body: both may hold secrets.
func (r reply) failure() string {
	if r.err != nil {
		return r.err.Error()
	}
	return fmt.Sprintf("the acquirer answered %d", r.code)
}

func call(ctx context.Context, client *http.Client, req request) (r reply) {
	if r.err = ctx.Err(); r.err != nil {
		r.unsent = true
		return r
	}
	out, err := req.build(ctx)
	if err != nil {
		return reply{err: errors.New("the request cannot be built"), unsent: true}
	}
	in, err := direct(client).Do(out)
	if err != nil {
		var dial *net.OpError
		return reply{err: errors.New("the acquirer did not answer"), unsent: errors.As(err, &dial) && dial.Op == "dial"}
	}
	defer in.Body.Close()
	if r.code = in.StatusCode; r.code == http.StatusOK { // an error page need not be JSON
		r.err = json.NewDecoder(io.LimitReader(in.Body, maxBody)).Decode(&r)
	}
	return r
}

func (req request) build(ctx context.Context) (*http.Request, error) {
	var body bytes.Buffer
	if req.body != nil {
		if err := json.NewEncoder(&body).Encode(req.body); err != nil {
			return nil, err
		}
	}
	out, err := http.NewRequestWithContext(ctx, req.method, req.url, &body)
	if err != nil {
		return nil, err
	}
	if req.header != nil {
		out.Header = req.header
	}
	out.Header.Set("Content-Type", "application/json")
	return out, nil
}

// direct returns a client that follows no redirects: they would send the secret headers elsewhere.
func direct(client *http.Client) *http.Client {
	if client == nil {
		client = http.DefaultClient
	}
	stays := *client
	stays.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &stays
}

// said returns an acquirer's answer to an operation.
func said(op methods.Operation, r reply) methods.Answer {
	switch {
	case r.unsent, r.code == http.StatusUnauthorized, r.code == http.StatusForbidden:
		return methods.NotSent(op, r.failure())
	case r.err != nil || r.code != http.StatusOK:
		return methods.Unknown(op, r.failure())
	}
	return stands(op, r.payment)
}

// found returns an acquirer's answer to a question: only this answer may be not found, and it is never not sent.
func found(op methods.Operation, r reply) methods.Answer {
	switch {
	case r.err != nil:
		return methods.Unknown(op, r.failure())
	case r.code == http.StatusNotFound:
		return methods.NotFound(op)
	case r.code != http.StatusOK:
		return methods.Unknown(op, r.failure())
	}
	return stands(op, r.payment)
}

// stands returns the acquirer's state of the payment: with its key, amount and currency, not ours.
func stands(op methods.Operation, p payment) methods.Answer {
	var a methods.Answer
	switch p.Status {
	case "redeemed", "paid":
		a = methods.Approved(op, p.ID)
	case "refused":
		a = methods.Declined(op, p.Reason)
	case "waiting":
		a = methods.Displayed(op, methods.Display{Details: []methods.Detail{{Label: "Reference", Value: p.Reference}}}, nil)
	default:
		return methods.Unknown(op, "the acquirer answered an unknown status")
	}
	a.Key, a.Amount, a.Currency, a.Reference = p.Key, p.Amount, p.Currency, p.ID
	return a
}
