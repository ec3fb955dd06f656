package methods

import "github.com/tollgatepay/gateway/store"

// Stage is the stage of collecting parameters. A conditional parameter may depend on it.
type Stage int

// The stages.
const (
	// Direct: no more parameters come before the payment starts. It is S2S, or Checkout after the page has asked.
	Direct Stage = iota
	// Hosted: a Checkout session whose page can still ask the payer.
	Hosted
	// Collected: after the interaction with the payer; everything must be present.
	Collected
)

// Context is what the rules of a set read in addition to the parameters.
type Context struct {
	Code       string          // the method's code, for the JSON spelling
	Operation  store.Operation // selects among the sets of a method; empty for all
	Stage      Stage
	MID        MIDOptions
	Request    map[string]string // fields of the request by their S2S names; see RequestFields
	Currencies *Currencies       // nil is ISO 4217 alone
	// ShortAmounts accepts amounts with fewer decimals (Mapping.ShortAmounts).
	ShortAmounts bool

	asks []Prompt // of the method: a parameter that the page can still ask for is not missing yet
}
