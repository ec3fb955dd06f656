package kerneltest

import (
	"context"

	"github.com/tollgatepay/gateway/methods"
)

// Plain is a connector of which only Perform is to be seen. A struct that embedded a methods.Connector would be refused
// for what it hides.
type Plain struct{ Connector methods.Connector }

// Perform implements methods.Connector.
func (p Plain) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return p.Connector.Perform(ctx, op)
}
