package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/store"
)

// useToken gives a charge the card of a token, with the code the payer typed for it, if he did. Card data
// that came with it wins (CARD562, precedence). Errors: ErrCardToken, ErrCardTokenExpired, ErrCardTokenOwner.
func (cs *charges) useToken(ctx context.Context, c *charge, saved string) (err error) {
	if saved == "" || c.card != nil && !c.card.PAN.IsZero() {
		return nil
	}
	typed := c.card
	record, err := cs.cards.Find(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.Payment.Test}, saved)
	if err != nil {
		return err
	}
	if c.card, _, err = cs.seals.OpenCard(ctx, record.MerchantID, record.ID, record.SealedCard); err != nil {
		return err
	}
	if c.Payment.Kind == store.Credit {
		c.Payment.Payee = token.PayeeOf(&record, c.Payment.Payee)
	}
	if typed != nil {
		c.card.Code = typed.Code
	}
	c.Payment.CardToken, c.Payment.ReqToken, c.credentials = saved, false, record.Credentials
	return nil
}
