package methodstest_test

import (
	"testing"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/methodstest"
	"github.com/tollgatepay/gateway/store"
)

// The test of an own connector: connect gives one for the acquirer's test environment, approved is a card that this
// approves.
func Example() {
	var connect func() methods.Connector
	var approved methods.Card
	_ = func(t *testing.T) { // func TestContract(t *testing.T)
		methodstest.Run(t, methodstest.Subject{
			New:     func(testing.TB) methods.Connector { return connect() },
			Approve: func(op *methods.Operation) { op.Card = &approved },
			Without: []store.Operation{store.OpCredit},
		})
	}
}
