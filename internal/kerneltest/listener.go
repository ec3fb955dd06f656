package kerneltest

import (
	"context"

	"github.com/tollgatepay/gateway/methods"
)

// Listener is an acquirer that keeps its operations, and declines softly where it is set to.
type Listener struct {
	Soft  map[string]bool // by MID
	Heard *[]methods.Operation
}

// Perform implements methods.Connector.
func (l Listener) Perform(_ context.Context, op methods.Operation) methods.Answer {
	*l.Heard = append(*l.Heard, op)
	if l.Soft[op.MID.ID] {
		return methods.SoftDeclined(op, "try elsewhere")
	}
	return methods.Approved(op, "ok")
}
