// Package s2s speaks S2S CARD and S2S APM: form-encoded actions of a merchant's backend (SPEC2;
// s2s_card.md, s2s_apm.md). It is a translation of the wire into calls of the gateway, and holds nothing
// itself.
//
// An action is a row of a table: its name, its fields with their rules, the formulas it may be signed by,
// what it is about, what it runs. The phases of a request are the same for all of them and stand in one
// place (pipeline.go), so that no action can forget one.
//
// The files lie in layers. Facts are below: paths, errors, texts, the names of answers. Above them is the reading of
// a form (reading.go, field.go and the rules), then what an action runs with (call.go) and the runs themselves, then
// the tables of actions, and on top the pipeline and the handler. A rule is handed the reading, a run the call, and
// only the pipeline knows the row.
//
// Do answers a request whatever brought it; Handler and Register serve net/http.
package s2s

import (
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
