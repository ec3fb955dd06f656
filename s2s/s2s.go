// Package s2s speaks S2S CARD and S2S APM: form-encoded actions of a merchant's backend (SPEC2;
// s2s_card.md, s2s_apm.md). It is a translation of the wire into calls of the gateway, and holds nothing
// itself.
//
// An action is a row of a table: its name, its fields with their rules, the formulas it may be signed by,
// what it is about, what it runs. The phases of a request are the same for all of them and stand in one
// place (pipeline.go), so that no action can forget one.
//
// Do answers a request whatever brought it; Handler and Register serve net/http.
package s2s

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/internal/envelope"
)

// Sizes of bodies, in bytes (decision aj). A body has at most 10,000 parameters.
const (
	MaxCreate   = bracketform.CreateBytes
	MaxFollowUp = bracketform.FollowUpBytes
)

// Request is a request of any transport. A query of its URL does not count.
type Request struct {
	Path            string // "/post", "/post-va" or "/v2/post"
	ContentType     string // application/x-www-form-urlencoded or multipart/form-data
	ContentEncoding string // must be empty: bodies are not compressed
	Body            []byte
}

// Response is the answer to a Request.
type Response = envelope.Response

// Do answers one request. Every refusal is HTTP 400 naming the parameters (errors.md, "Envelopes");
// what is no action of the path is HTTP 404; a fault of our own is HTTP 500 and says nothing of itself.
func Do(ctx context.Context, gw *gateway.Gateway, r Request) Response {
	path, ok := pathOf(r.Path)
	if !ok {
		return notFound()
	}
	c := &call{gw: gw, path: path}
	answer, err := c.answer(ctx, r)
	if err != nil {
		return fail(c.spelled(gw.Logged(ctx, err)))
	}
	return ok200(answer)
}
