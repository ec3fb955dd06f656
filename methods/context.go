package methods

import "github.com/tollgatepay/gateway/store"

// Stage is how far the collecting of parameters has come: what a conditional parameter depends on.
type Stage int

// The stages.
const (
	// Direct is a request whose parameters are all there is before the payment starts: S2S, or Checkout
	// once the page has asked.
	Direct Stage = iota
	// Hosted is a Checkout session whose page can still ask the payer.
	Hosted
	// Collected is after the interaction with the payer: everything must be there.
	Collected
)

// Context is what the rules of a set look at beside the parameters.
type Context struct {
	Code       string          // the method's code, for the JSON spelling
	Operation  store.Operation // chooses among the sets of a method; empty for all
	Stage      Stage
	MID        MIDOptions
	Request    map[string]string // fields of the request by their S2S names; see RequestFields
	Currencies *Currencies       // nil is ISO 4217 alone
	// ShortAmounts takes amounts with fewer decimals (Mapping.ShortAmounts).
	ShortAmounts bool

	asks []Prompt // of the method: what the page can still ask is not missing yet
}
