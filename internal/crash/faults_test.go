package crash

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/methods"
)

// Faults of a child that the judge has to find.
const (
	faultDrops = "drops callbacks"
	faultTwice = "charges twice"
)

// twice charges a second time under another key.
type twice struct{ trappedConnector }

// Perform books two charges for one.
func (c twice) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	answer := c.trappedConnector.Perform(ctx, op)
	op.Key += "-again"
	c.trappedConnector.Perform(ctx, op)
	return answer
}

func faultyConnector(c trappedConnector) methods.Connector {
	if os.Getenv(envFault) == faultTwice {
		return twice{c}
	}
	return c
}

// liar reports some callbacks as delivered that were not.
type liar struct {
	callback.Notifier
	n atomic.Int64
}

// Deliver drops every second callback.
func (l *liar) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	if l.n.Add(1)%2 == 0 {
		return callback.Receipt{Verdict: callback.Accepted, Status: 200}
	}
	return l.Notifier.Deliver(ctx, d)
}

func faultyNotifier(n callback.Notifier) callback.Notifier {
	if os.Getenv(envFault) == faultDrops {
		return &liar{Notifier: n}
	}
	return n
}
