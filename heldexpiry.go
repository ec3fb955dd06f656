package gateway

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// heldQueue holds the sessions whose collected card has to go when they expire.
var heldQueue = store.Queue{Name: "qh"}

// claimHeld erases the cards of hosted sessions that ended without charging them.
func (gw *Gateway) claimHeld(ctx context.Context, limit int) ([]func(context.Context), error) {
	if some, err := gw.anyDue(ctx, heldQueue); err != nil || !some {
		return nil, err
	}
	erased := 0
	err := gw.update(ctx, func(tx store.Tx) error {
		erased = 0
		ids, err := heldQueue.Due(tx, gw.now(), limit)
		if err != nil {
			return err
		}
		for _, id := range ids {
			s, err := sessions.Get(tx, id)
			if err != nil {
				return err
			}
			if err := heldQueue.Move(tx, s.ID, s.ID, s.HeldUntil, time.Time{}); err != nil {
				return err
			}
			s.HeldCard, s.HeldUntil = nil, time.Time{}
			s.Version++
			if err := sessions.Put(tx, s, s.ID); err != nil {
				return err
			}
			erased++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	done := make([]func(context.Context), erased) // counted as work; there is nothing left to do
	for i := range done {
		done[i] = func(context.Context) {}
	}
	return done, nil
}
