package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A chain begins with a payment that asks for it and is taken; later payments name that payment and the
// chain's token, and are charged to its card where it was charged, with the payer absent (lifecycle.md,
// "Recurring").

// Chain is the first payment of one of the client's chains. Error: ErrNoChain.
func (c *Client) Chain(ctx context.Context, initID, token string) (*store.Payment, error) {
	if c.profile == nil {
		return nil, refusal.ErrNoChain
	}
	first, _, err := c.gw.agreements.Find(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.test}, initID, token)
	return first, err
}
