package gateway

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Event is one committed change of a payment, for metrics and alarms; or, with Aside, something that was set
// aside because it cannot be read, or, with PutOff, due work that could not be begun: the other fields but At are
// empty then.
type Event struct {
	PaymentID     string
	TransactionID string
	Operation     store.Operation
	Outcome       store.Outcome
	From, To      store.Status
	Review        string // why a person has to look, when so
	At            time.Time
	Aside         *store.Aside
	PutOff        *store.PutOff
}
