package kerneltest

import (
	"fmt"
	"sync/atomic"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// IDsBy sets the function that makes ids.
func IDsBy(newID func() string) gatewaytest.Option {
	return func(c *gateway.Config) { c.NewID = newID }
}

// IDsNumbered makes ids by a format and an increasing number.
func IDsNumbered(format string, from int64) func() string {
	var n atomic.Int64
	n.Store(from - 1)
	return func() string { return fmt.Sprintf(format, n.Add(1)) }
}
