package kerneltest

import (
	"context"

	"github.com/tollgatepay/gateway"
)

// Quoter is a host that computes as a test sets.
type Quoter func(gateway.QuoteRequest) (gateway.Quote, error)

// Quote implements gateway.Quoter.
func (q Quoter) Quote(_ context.Context, r gateway.QuoteRequest) (gateway.Quote, error) { return q(r) }

// Option sets the quoter of a gateway.
func (q Quoter) Option(c *gateway.Config) { c.Quoter = q }
