package retention

import "time"

// Keep is how long each kind of record stays; gateway.Retention documents the start of each period, and has the
// same fields. Zero for Payments means for ever.
type Keep struct {
	Sessions        time.Duration
	Tokens          time.Duration
	Callbacks, Dead time.Duration
	Hashes          time.Duration
	Chains          time.Duration
	Payments        time.Duration
}

// Margins for records that are checked against a clock, because the clocks of instances differ a little.
const (
	windowMargin    = time.Hour           // after the end of a duplicate window
	walletUseMargin = time.Hour           // after a wallet token is too old to be used again
	endpointMargin  = time.Hour           // after an endpoint's timeouts and block have ended
	limitMargin     = 31 * 24 * time.Hour // after the day, week or month of a limit
)
