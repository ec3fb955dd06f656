package gateway

import (
	"cmp"
	"context"
	"encoding/hex"
	"time"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A card token is 64 hex digits that a merchant may charge a saved card by (SPEC1, req_token). The record
// is named by a keyed hash of it, and holds the card sealed.

// tokenRecord is a saved card.
type tokenRecord struct {
	ID         string          `json:"id"` // keyed hash of the token
	MerchantID string          `json:"merchant"`
	Test       bool            `json:"test,omitempty"`
	SealedCard *store.Sealed   `json:"sealed_card"`
	Card       store.CardFacts `json:"card"`
	Name       string          `json:"name,omitempty"`
	// Credentials are the references of the card, at the MIDs that register stored cards.
	Credentials credentials `json:"credentials,omitempty"`
	CreatedAt   time.Time   `json:"created_at"`
}

var cardTokens = store.Table[tokenRecord]{Prefix: "ct", Version: 1}

// tokenSize is half the length of a token, in bytes.
const tokenSize = 32

// insert stores the token that a charge issues, if any.
func (r *tokenRecord) insert(tx store.Tx) error {
	if r == nil {
		return nil
	}
	return cardTokens.Insert(tx, *r, r.ID)
}

// issueToken makes the token of a charge that asks for one.
func (gw *Gateway) issueToken(ctx context.Context, c *charge) error {
	p := &c.payment
	if !p.ReqToken || p.CardToken != "" || c.card == nil {
		return nil
	}
	random, err := gw.random(tokenSize, "a card token")
	if err != nil {
		return err
	}
	p.CardToken = hex.EncodeToString(random)
	record := &tokenRecord{MerchantID: p.MerchantID, Test: p.Test, Card: *p.Card, Name: p.Payer.FullName(), CreatedAt: p.CreatedAt}
	if record.ID, err = gw.tokenID(ctx, p.CardToken); err != nil {
		return err
	}
	record.SealedCard, err = gw.sealCard(ctx, p.MerchantID, record.ID, c.card, nil)
	c.token = record
	return err
}

// tokenID is the name of a token's record.
func (gw *Gateway) tokenID(ctx context.Context, token string) (string, error) {
	key, err := gw.seals.lookupKey(ctx)
	if err != nil {
		return "", err
	}
	return vault.Lookup(key, vault.Token, token), nil
}

// useToken gives a charge the card of a token, with the code the payer typed for it, if he did. Card data
// that came with it wins (CARD562, precedence). Errors: ErrCardToken, ErrCardTokenExpired, ErrCardTokenOwner.
func (gw *Gateway) useToken(ctx context.Context, c *charge, token string) (err error) {
	if token == "" || c.card != nil && !c.card.PAN.IsZero() {
		return nil
	}
	typed := c.card
	record, err := gw.tokenRecord(ctx, whose{c.profile.merchant.ID, c.payment.Test}, token)
	if err != nil {
		return err
	}
	if c.card, _, err = gw.openCard(ctx, record.MerchantID, record.ID, record.SealedCard); err != nil {
		return err
	}
	if c.payment.Kind == store.Credit {
		c.payment.Payee = record.payee(c.payment.Payee)
	}
	if typed != nil {
		c.card.Code = typed.Code
	}
	c.payment.CardToken, c.payment.ReqToken, c.credentials = token, false, record.Credentials
	return nil
}

// payee is whom a payout to the card goes to: the names of the request win over the one stored (SPEC1,
// "Card payout by token").
func (r *tokenRecord) payee(asked *store.Payer) *store.Payer {
	var payee store.Payer
	if asked != nil {
		payee = *asked
	}
	if payee.Name == "" {
		first, last := store.Payer{Name: r.Name}.Parts()
		payee.FirstName, payee.LastName = cmp.Or(payee.FirstName, first), cmp.Or(payee.LastName, last)
	}
	return &payee
}

// savedCards shows the cards of a session's tokens. One that is gone meanwhile shows nothing.
func (gw *Gateway) savedCards(ctx context.Context, s *store.Session) (cards []SavedCard, err error) {
	for _, token := range s.Extra.CardTokens {
		record, err := gw.tokenRecord(ctx, whose{s.MerchantID, s.Test}, token)
		if err != nil && refusal.AsError(err).Is(refusal.ErrInternal) {
			return nil, err
		}
		cards = append(cards, SavedCard{record.Card.Mask, record.Card.Expiry.String(), record.Card.Brand})
	}
	return cards, nil
}

func (gw *Gateway) tokenRecord(ctx context.Context, w whose, token string) (record tokenRecord, err error) {
	id, err := gw.tokenID(ctx, token)
	if err != nil {
		return record, err
	}
	err = gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		record, err = cardTokens.Get(r, id)
		return err
	})
	switch {
	case absent(err):
		return tokenRecord{}, refusal.ErrCardToken
	case err != nil:
		return tokenRecord{}, err
	case record.MerchantID != w.merchantID || record.Test != w.test:
		return tokenRecord{}, refusal.ErrCardTokenOwner
	case record.Card.Expiry != (store.Expiry{}) && record.Card.Expiry.Check(gw.now().Add(-12*time.Hour)) != nil:
		return tokenRecord{}, refusal.ErrCardTokenExpired
	}
	return record, nil
}
