package gateway

import (
	"context"
	"time"
)

// Tick does the work that is due now, at most limit items, one after another: questions about open transactions,
// callbacks, scheduled payments and deletions. It returns how many items it did and when the next one is due; the zero
// time means that none is. Hosts with their own scheduler and tests call it; all others call Run. Faults of single
// items are logged and retried later. Errors: ErrUnavailable after Close; any other means that the store does not work.
func (gw *Gateway) Tick(ctx context.Context, limit int) (done int, next time.Time, err error) {
	if err := made(gw).gate.Enter(); err != nil {
		return 0, time.Time{}, err
	}
	defer gw.gate.Leave()
	return gw.runner.Tick(ctx, limit)
}

// Run does the work that is due until ctx ends or the gateway is closed, with Config.Workers for each kind of work, and
// returns nil when they have finished. Any number of instances may run on one store. It returns ErrUnavailable when the
// gateway was closed before.
func (gw *Gateway) Run(ctx context.Context) error { return made(gw).runner.Run(ctx) }
