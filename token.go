package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A card token is 64 hex digits that a merchant may charge a saved card by (SPEC1, req_token). The record
// is named by a keyed hash of it, and holds the card sealed.

// useToken gives a charge the card of a token, with the code the payer typed for it, if he did. Card data
// that came with it wins (CARD562, precedence). Errors: ErrCardToken, ErrCardTokenExpired, ErrCardTokenOwner.
func (gw *Gateway) useToken(ctx context.Context, c *charge, saved string) (err error) {
	if saved == "" || c.card != nil && !c.card.PAN.IsZero() {
		return nil
	}
	typed := c.card
	record, err := gw.cards.Find(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.Payment.Test}, saved)
	if err != nil {
		return err
	}
	if c.card, _, err = gw.seals.OpenCard(ctx, record.MerchantID, record.ID, record.SealedCard); err != nil {
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

// savedCards shows the cards of a session's tokens. One that is gone meanwhile shows nothing.
func (gw *Gateway) savedCards(ctx context.Context, s *store.Session) (cards []SavedCard, err error) {
	for _, token := range s.Extra.CardTokens {
		record, err := gw.cards.Find(ctx, records.Owner{MerchantID: s.MerchantID, Test: s.Test}, token)
		if err != nil && refusal.AsError(err).Is(refusal.ErrInternal) {
			return nil, err
		}
		cards = append(cards, SavedCard{record.Card.Mask, record.Card.Expiry.String(), record.Card.Brand})
	}
	return cards, nil
}
