package gateway

import (
	"context"
	"time"
)

// Tick does what is due now, at most limit items, one after another: open transactions are asked about,
// callbacks delivered, scheduled payments made. It reports how many items it did and when the next one is due; the zero
// time means that nothing is. Tests and hosts with their own scheduler call it; Run does for everybody else.
// Faults of single items are logged and tried again later; an error is a store that does not work.
func (gw *Gateway) Tick(ctx context.Context, limit int) (done int, next time.Time, err error) {
	if err := gw.gate.Enter(); err != nil {
		return 0, time.Time{}, err
	}
	defer gw.gate.Leave()
	return gw.runner.Tick(ctx, limit)
}

// Run does what is due until ctx ends, with workers for each kind of work, and returns when they have
// finished. Any number of instances may run on one store.
func (gw *Gateway) Run(ctx context.Context) error { return gw.runner.Run(ctx) }
