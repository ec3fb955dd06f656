// Package checkout speaks the Checkout protocol: JSON requests of a merchant's backend that create sessions and
// act on their payments (SPEC1; checkout.md). It translates requests into calls of the gateway and has no state.
// Package page serves the payer's browser.
//
// Do answers a request of any transport; Handler and Register serve net/http.
package checkout

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/envelope"
	"github.com/tollgatepay/gateway/internal/sessionjson"
)

// The greatest sizes of bodies, in bytes (decision aj): of requests that make a session or a payment, and of those
// about a payment that exists.
const (
	MaxCreate   = sessionjson.MaxBytes
	MaxFollowUp = 64 << 10
)

// Request is a request of any transport.
type Request struct {
	Path            string // "/api/v1/session", ...
	ContentType     string
	ContentEncoding string // must be empty: bodies are not compressed
	Body            []byte
}

// Response is the answer to a Request.
type Response struct {
	Status      int
	ContentType string
	Body        []byte
}

// endpoint is a row of the protocol's table of paths.
type endpoint struct {
	path  string
	limit int
	run   func(context.Context, *gateway.Gateway, []byte) (any, error)
}

// endpoints is the table of checkout.md, "Endpoints"; all are POSTs.
var endpoints = []endpoint{
	{"/api/v1/session", MaxCreate, createSession},
	{"/api/v1/payment/recurring", MaxCreate, recurring},
	{"/api/v1/payment/card/credit", MaxCreate, credit},
	{"/api/v1/payment/status", MaxFollowUp, status},
	{"/api/v1/payment/capture", MaxFollowUp, capture},
	{"/api/v1/payment/refund", MaxFollowUp, refund},
	{"/api/v1/payment/void", MaxFollowUp, void},
	{"/api/v1/payment/retry", MaxFollowUp, retry},
}

// Do answers one request. Every refusal is HTTP 400 and names the field (errors.md, "Envelopes"); an internal
// error is HTTP 500 without details.
func Do(ctx context.Context, gw *gateway.Gateway, r Request) Response {
	for _, e := range endpoints {
		if e.path == r.Path {
			return Response(e.answer(ctx, gw, r))
		}
	}
	return Response(envelope.NotFound())
}

// call is a request with the row that answers it.
type call struct {
	gw *gateway.Gateway
	endpoint
	body []byte
}

func run(ctx context.Context, c call) (any, error) { return c.run(ctx, c.gw, c.body) }

func (e endpoint) answer(ctx context.Context, gw *gateway.Gateway, r Request) envelope.Response {
	if err := envelope.JSON(r.ContentType, r.ContentEncoding); err != nil {
		return envelope.Fail(err)
	}
	body, err := gateway.Request(ctx, gw, call{gw, e, r.Body}, run)
	if err != nil {
		return envelope.Fail(gw.Logged(ctx, err))
	}
	return envelope.OK(body)
}
