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
	Request    Request     // nil is one without any of RequestFields
	Currencies *Currencies // nil is ISO 4217 alone
	// ShortAmounts accepts amounts with fewer decimals (Mapping.ShortAmounts).
	ShortAmounts bool

	asks []Prompt // of the method: a parameter that the page can still ask for is not missing yet
}

// Request is a request as the rules of sets may read it.
type Request interface {
	// Field returns a field by its S2S name; empty for one that is absent. The names are RequestFields.
	Field(name string) string
}

// field returns a field of the request by its S2S name.
func (c *Context) field(name string) string {
	if c.Request == nil {
		return ""
	}
	return c.Request.Field(name)
}
