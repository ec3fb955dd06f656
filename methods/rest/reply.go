package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync/atomic"

	"github.com/tollgatepay/gateway/methods"
)

// Reply is what came of a request. The zero Reply is of a request that was not sent.
type Reply struct {
	Status int // of HTTP; zero without an answer
	Header http.Header
	Body   []byte // whole, or nil

	answers bool  // the body is an answer of the acquirer
	sent    bool  // the acquirer may have the request
	err     error // why there is no whole answer
}

// watched is how far a transport came. A request can have an effect once its headers are complete.
type watched struct{ connects, wrote atomic.Bool }

func (w *watched) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { w.connects.Store(true) },
		WroteHeaders: func() { w.wrote.Store(true) },
	})
}

// mayHaveSent reports whether the acquirer may have the request. A transport that tells nothing may have sent it.
func (w *watched) mayHaveSent() bool { return w.wrote.Load() || !w.connects.Load() }

// exchange sends a request and reads the answer.
func (c *Client) exchange(out *http.Request) Reply {
	w := &watched{}
	in, err := c.http.Do(out.WithContext(w.trace(out.Context())))
	if err != nil {
		return Reply{sent: w.mayHaveSent(), err: reason(err)}
	}
	defer in.Body.Close()
	r := Reply{Status: in.StatusCode, Header: in.Header, sent: true}
	r.answers = in.StatusCode/100 == 2 || slices.Contains(c.options.Answers, in.StatusCode)
	body, err := io.ReadAll(io.LimitReader(in.Body, c.options.MaxBytes+1))
	switch {
	case err != nil:
		r.err = errors.New("the answer was cut")
	case int64(len(body)) > c.options.MaxBytes:
		r.err = fmt.Errorf("the answer is longer than %d bytes", c.options.MaxBytes)
	default:
		r.Body = body
	}
	return r
}

// reason returns why there was no answer, without the address: it may have secrets.
func reason(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return errors.New("the acquirer did not answer in time")
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("the acquirer could not be reached: %w", wrapped.Err)
	}
	return errors.New("the acquirer could not be reached")
}

// cause returns what went wrong, for the log.
func (r Reply) cause() string {
	switch {
	case r.err != nil:
		return r.err.Error()
	case r.Status == 0:
		return "no request was sent"
	}
	return fmt.Sprintf("the acquirer answered with status %d", r.Status)
}

// refused reports whether a status says that the acquirer did nothing with the request: it was not allowed, not well
// formed, or too much. A conflict or a timeout is no such status: an earlier request with the key may be under way.
func refused(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
		http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusGone, http.StatusLengthRequired,
		http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge:
		return true
	}
	return false
}

// Failed returns the answer to an operation whose reply has none, and whether that is so. It is for APIs that do not
// speak JSON; Performed is for the others.
func (r Reply) Failed(op methods.Operation) (methods.Answer, bool) {
	switch {
	case !r.sent:
		return methods.NotSent(op, r.cause()), true
	case r.err == nil && r.answers:
		return methods.Answer{}, false
	case !r.answers && refused(r.Status):
		return methods.NotSent(op, r.cause()), true
	}
	return methods.Unknown(op, r.cause()), true
}

// Missing is Failed for a question: only status 404 says that the acquirer knows nothing under the key, and a question
// that failed leaves the outcome unknown.
func (r Reply) Missing(op methods.Operation) (methods.Answer, bool) {
	switch {
	case r.err == nil && r.Status == http.StatusNotFound:
		return methods.NotFound(op), true
	case r.err == nil && r.answers:
		return methods.Answer{}, false
	}
	return methods.Unknown(op, r.cause()), true
}

// Performed returns the answer to an operation by the reply of its request. read turns the acquirer's JSON into an
// answer, with the key, amount and currency that the acquirer says and not those of op, so that a mismatch is seen.
func Performed[T any](r Reply, op methods.Operation, read func(T) methods.Answer) methods.Answer {
	if a, failed := r.Failed(op); failed {
		return a
	}
	return decoded(r, op, read)
}

// Found returns the answer to a question about an operation, as Performed does.
func Found[T any](r Reply, op methods.Operation, read func(T) methods.Answer) methods.Answer {
	if a, missing := r.Missing(op); missing {
		return a
	}
	return decoded(r, op, read)
}

func decoded[T any](r Reply, op methods.Operation, read func(T) methods.Answer) methods.Answer {
	var value T
	if err := r.Decode(&value); err != nil {
		return methods.Unknown(op, err.Error())
	}
	return read(value)
}

// Sent reports whether the other side may have the request.
func (r Reply) Sent() bool { return r.sent }

// Err returns why there is no whole answer, without addresses; nil for one.
func (r Reply) Err() error { return r.err }

// Decode reads the body as one JSON value, whatever the status is.
func (r Reply) Decode(into any) error {
	d := json.NewDecoder(bytes.NewReader(r.Body))
	if err := d.Decode(into); err != nil || string(bytes.TrimSpace(r.Body)) == "null" {
		return fmt.Errorf("the acquirer answered with status %d and a body that cannot be read", r.Status)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("the acquirer answered with status %d and more than one value", r.Status)
	}
	return nil
}
