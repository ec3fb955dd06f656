package retention

import "time"

// Keep says for how long each kind of record stays; gateway.Retention says from when each is counted, and has the
// same fields. Payments of zero stays for ever.
type Keep struct {
	Sessions        time.Duration
	Tokens          time.Duration
	Callbacks, Dead time.Duration
	Hashes          time.Duration
	Chains          time.Duration
	Payments        time.Duration
}

// What stays has a margin, since the clocks of instances differ by a little.
const (
	windowMargin    = time.Hour           // after a duplicate window closed
	walletUseMargin = time.Hour           // after a wallet's token was too old to be used again
	endpointMargin  = time.Hour           // after an endpoint's time-outs count no more and its block ended
	limitMargin     = 31 * 24 * time.Hour // after the day, week or month that a limit counts
)
