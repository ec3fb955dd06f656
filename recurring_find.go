package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Chain is the first payment of one of the client's chains. Error: ErrNoChain.
func (c *Client) Chain(ctx context.Context, initID, token string) (*store.Payment, error) {
	if c.profile == nil {
		return nil, refusal.ErrNoChain
	}
	first, _, err := c.gw.agreements.Find(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.test}, initID, token)
	return first, err
}
