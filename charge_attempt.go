package gateway

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// afterDecline makes the attempt that follows a declined one, which gives its limits back first; nil when there is none.
func (cs *charges) afterDecline(ctx context.Context, c *charge, declined *store.Transaction) (*engine.Operation, error) {
	if !c.profile.Mapping(c.Payment.Protocol).Cascade || len(c.candidates) == 0 || len(c.Payment.Tried) >= records.MaxCascade-1 {
		return nil, nil
	}
	then := *c
	then.window, then.token, then.chain, then.stale = false, nil, nil, ""
	if c.token != nil {
		then.stale = c.token.ID
	}
	if then.Payment.ReqToken {
		then.Payment.CardToken = ""
	}
	if then.Payment.Cascade == "" {
		then.Payment.Cascade = c.Payment.ID
	}
	then.Payment.Tried = append(slices.Clone(c.Payment.Tried), c.MID.ID)
	for len(then.candidates) > 0 {
		if err := cs.draft(ctx, &then); err != nil {
			return nil, err
		}
		err := cs.store.View(ctx, func(r store.Reader) error {
			return engine.CheckLimits(r, &then.Operation, declined, c.MID)
		})
		switch {
		case err == nil:
			return &then.Operation, nil
		case !engine.IsFull(err):
			return nil, err
		}
	}
	return nil, nil
}
