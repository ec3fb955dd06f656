// Package hpf speaks the protocol of Hosted Payment Fields: the requests of a merchant's backend that make a
// session token, change the session, and pay with the card that the fields on the merchant's page collected
// (SPEC1; hpf.md). It translates requests into calls of the gateway and has no state. Package sdk serves the
// browser; Register mounts it too.
//
//	POST /api/v1/session/token             a token
//	PUT  /api/v1/session/update            header Token: another amount, currency, schedule, ...
//	POST /api/v1/processing/purchase/card  header Token: the payment of a purchase
//	POST /api/v1/processing/debit/card     header Token: the payment of a debit
//
// A missing, invalid or expired token is answered with 403 and a page. So is a request that looks like a
// browser's. The payer has the token too, but only the backend may decide about the payment and its amount; and a
// token request needs the merchant's password, which must not be in a browser. No answer has a CORS header.
//
// A payment charges the card that the fields collected. If they never collected one, it charges the saved card
// that the token request named in card_token, if it named exactly one.
//
// Do answers a request of any transport; Handler and Register serve net/http.
package hpf

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/envelope"
	"github.com/tollgatepay/gateway/internal/readonce"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/store"
)

// The greatest sizes of bodies, in bytes (decision aj): to create a session or a payment, and to update one.
const (
	MaxCreate = sessionjson.MaxBytes
	MaxUpdate = 64 << 10
)

// Request is a request of any transport.
type Request struct {
	Method string // "POST", ...
	Path   string // "/api/v1/session/token", ...
	// Header has the names in the spelling of net/http: "Token", "Content-Type", "Sec-Fetch-Site".
	Header map[string][]string
	// Address is the caller's IP. It is used as the payer's when a token request names none.
	Address string
	Body    []byte
}

// Response is the answer to a Request.
type Response struct {
	Status      int
	ContentType string
	Body        []byte
}

// call is a request for its endpoint.
type call struct {
	gw      *gateway.Gateway
	token   string
	address string
	body    []byte
}

// endpoint is a row of the protocol's table of paths.
type endpoint struct {
	method string
	path   string
	limit  int
	token  bool // the request needs a token
	run    func(context.Context, call) (any, error)
}

// endpoints is the table of SPEC1, "Endpoints".
var endpoints = []endpoint{
	{"POST", "/api/v1/session/token", MaxCreate, false, createToken},
	{"PUT", "/api/v1/session/update", MaxUpdate, true, update},
	{"POST", "/api/v1/processing/purchase/card", MaxCreate, true, payAs(store.Purchase)},
	{"POST", "/api/v1/processing/debit/card", MaxCreate, true, payAs(store.Debit)},
}

// Do answers one request. A refusal is HTTP 400 and names the field (errors.md, "Envelopes"), except for tokens:
// see above. An internal error is HTTP 500 without details.
func Do(ctx context.Context, gw *gateway.Gateway, r Request) Response {
	for _, e := range endpoints {
		if e.path == r.Path {
			return Response(e.answer(ctx, gw, r))
		}
	}
	return Response(envelope.NotFound())
}

func (e endpoint) answer(ctx context.Context, gw *gateway.Gateway, r Request) envelope.Response {
	if refusal, refused := e.refusal(ctx, gw, r); refused {
		return refusal
	}
	return e.perform(ctx, gw, r)
}

// perform answers a request that was not refused.
func (e endpoint) perform(ctx context.Context, gw *gateway.Gateway, r Request) envelope.Response {
	if err := envelope.JSON(r.get("Content-Type"), r.get("Content-Encoding")); err != nil {
		return envelope.Fail(err)
	}
	c := call{gw: gw, token: r.token(), address: r.Address, body: r.Body}
	body, err := gateway.Request(ctx, gw, c, func(ctx context.Context, c call) (any, error) {
		// A payment and its return parameters go by one snapshot of the merchant, also when the merchant changes between.
		return e.run(readonce.Begin(ctx), c)
	})
	if err != nil {
		return failed(ctx, gw, err)
	}
	return envelope.OK(body)
}

// refusal returns the refusals that need no body: it is not read for them.
func (e endpoint) refusal(ctx context.Context, gw *gateway.Gateway, r Request) (envelope.Response, bool) {
	switch {
	case r.Method == "OPTIONS", r.fromBrowser():
		return forbidden(), true
	case r.Method != e.method:
		return envelope.NotFound(), true
	case !e.token:
		return envelope.Response{}, false
	}
	if err := gw.HostedFields().Check(ctx, r.token()); err != nil {
		return failed(ctx, gw, err), true
	}
	return envelope.Response{}, false
}

func failed(ctx context.Context, gw *gateway.Gateway, err error) envelope.Response {
	known := gw.Logged(ctx, err)
	if known.Is(gateway.ErrToken) {
		return forbidden()
	}
	return envelope.Fail(known)
}
