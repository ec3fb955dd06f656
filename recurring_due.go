package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/refusal"
)

// paySlot charges the card of a chain for its next date.
func (gw *Gateway) paySlot(ctx context.Context, chain *recurring.Due) error {
	profile, err := gw.merchants.ByID(ctx, chain.MerchantID)
	if err != nil {
		return err
	}
	first, err := gw.agreements.First(ctx, chain)
	if err != nil {
		return err
	}
	if err := profile.Readable(first); err != nil {
		return err
	}
	if profile.Off(first.Protocol) {
		return refusal.ErrNoMID
	}
	c := charge.Due(profile, first, chain)
	if c.PayCard, _, err = gw.seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard); err != nil {
		return err
	}
	_, err = gw.charges.Charge(ctx, c)
	return err
}
