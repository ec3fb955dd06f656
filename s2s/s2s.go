// Package s2s speaks S2S CARD and S2S APM: form-encoded actions of a merchant's backend (SPEC2; s2s_card.md,
// s2s_apm.md). It translates requests into calls of the gateway and has no state.
//
// An action is a row of a table: its name, its fields with their rules, the formulas that may sign it, its
// subject, and its function. The phases of a request are the same for all actions and are in one place
// (pipeline.go), so that no action can miss one.
//
// The files are in layers. At the bottom are facts: paths, errors, texts, the names of answers. Above them is the
// reading of a form (reading.go, field.go and the rules), then the input of an action (call.go) and the actions'
// functions, then the tables of actions, and at the top the pipeline and the handler. A rule gets the reading, a
// function the call, and only the pipeline uses the row.
//
// Do answers a request of any transport; Handler and Register serve net/http.
package s2s

import (
	"github.com/tollgatepay/gateway/internal/bracketform"
)

// The greatest sizes of bodies, in bytes (decision aj): of requests that make a payment or a schedule, and of those
// about an existing one. A body has at most 10,000 parameters.
const (
	MaxCreate   = bracketform.CreateBytes
	MaxFollowUp = bracketform.FollowUpBytes
)

// Request is a request of any transport. The query of its URL is ignored.
type Request struct {
	Path            string // "/post", "/post-va" or "/v2/post"
	ContentType     string // application/x-www-form-urlencoded or multipart/form-data
	ContentEncoding string // must be empty: bodies are not compressed
	Body            []byte
}

// Response is the answer to a Request.
type Response struct {
	Status      int
	ContentType string
	Body        []byte
}
