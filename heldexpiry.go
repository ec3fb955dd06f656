package gateway

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// claimHeld erases the cards of hosted sessions that ended without charging them.
func (gw *Gateway) claimHeld(ctx context.Context, limit int) ([]func(context.Context), error) {
	if some, err := gw.queues.Any(ctx, records.HeldQueue); err != nil || !some {
		return nil, err
	}
	erased := 0
	var lost due.Asides
	err := gw.update(ctx, func(tx store.Tx) error {
		erased, lost = 0, nil
		return gw.queues.Each(tx, records.HeldQueue, store.WorkExpiry, limit, &lost, func(id string) error {
			s, err := records.Sessions.Get(tx, id)
			if err != nil {
				return err
			}
			if err := records.HeldQueue.Move(tx, s.ID, s.ID, s.HeldUntil, time.Time{}); err != nil {
				return err
			}
			s.HeldCard, s.HeldUntil = nil, time.Time{}
			s.Version++
			erased++
			return records.Sessions.Put(tx, s, s.ID)
		})
	})
	if err != nil {
		return nil, err
	}
	gw.queues.Tell(ctx, lost)
	done := make([]func(context.Context), erased) // counted as work; there is nothing left to do
	for i := range done {
		done[i] = func(context.Context) {}
	}
	return due.Counted(done, len(lost)), nil
}
