package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
)

// paySlot charges the card of a chain for its next date.
func (gw *Gateway) paySlot(ctx context.Context, chain *records.Chain) error {
	profile, err := gw.merchants.ByID(ctx, chain.MerchantID)
	if err != nil {
		return err
	}
	first, _, err := gw.agreements.Find(ctx, chain.Owner(), chain.PaymentID, chain.Token)
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
