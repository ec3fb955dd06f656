package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

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
