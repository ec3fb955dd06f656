package s2s

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// call is what an action gets: the parsed form, and what was loaded and verified for it.
type call struct {
	reading
	gw      *gateway.Gateway
	answers answers // of the action
	list    bool    // redirect_params is a list of names and values, not an object
	// payment is the subject: the named payment, the newest of an order, or the first of a chain; nil without one.
	payment  *store.Payment
	schedule *store.Schedule
	proof    *gateway.Proof // the signature, once it is verified
}

// done returns the answer of an action that has nothing to report.
func (c *call) done(more ...member) object {
	return append(object{{"action", c.text("action")}, {"result", success}}, more...)
}
