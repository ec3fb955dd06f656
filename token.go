package gateway

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A card token is 64 hex digits that a merchant may charge a saved card by (SPEC1, req_token). The record
// is named by a keyed hash of it, and holds the card sealed.

// tokenSize is half the length of a token, in bytes.
const tokenSize = 32

// insertToken stores the token that a charge issues, if any.
func insertToken(r *records.CardToken, tx store.Tx) error {
	return records.CardTokens.Insert(tx, *r, r.ID)
}

// forgetToken deletes the token of an attempt that another one follows: each issues its own, and no card is kept under
// one that the merchant never heard of.
func forgetToken(tx store.Tx, p *store.Payment, id string) error {
	p.CardToken = ""
	return records.CardTokens.Delete(tx, id)
}

// issueToken makes the token of a charge that asks for one.
func (gw *Gateway) issueToken(ctx context.Context, p *store.Payment, card *methods.Card) (*records.CardToken, error) {
	random := make([]byte, tokenSize)
	if _, err := io.ReadFull(gw.cfg.Random, random); err != nil {
		return nil, fmt.Errorf("no random bytes for a card token: %w", err)
	}
	p.CardToken = hex.EncodeToString(random)
	record := &records.CardToken{MerchantID: p.MerchantID, Test: p.Test, Card: *p.Card, Name: p.Payer.FullName(), CreatedAt: p.CreatedAt}
	var err error
	if record.ID, err = gw.tokenID(ctx, p.CardToken); err != nil {
		return nil, err
	}
	record.SealedCard, err = gw.seals.Card(ctx, p.MerchantID, record.ID, card, nil)
	return record, err
}

// tokenID is the name of a token's record.
func (gw *Gateway) tokenID(ctx context.Context, token string) (string, error) {
	key, err := gw.seals.LookupKey(ctx)
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
	record, err := gw.tokenRecord(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.Payment.Test}, token)
	if err != nil {
		return err
	}
	if c.card, _, err = gw.seals.OpenCard(ctx, record.MerchantID, record.ID, record.SealedCard); err != nil {
		return err
	}
	if c.Payment.Kind == store.Credit {
		c.Payment.Payee = payeeOf(&record, c.Payment.Payee)
	}
	if typed != nil {
		c.card.Code = typed.Code
	}
	c.Payment.CardToken, c.Payment.ReqToken, c.credentials = token, false, record.Credentials
	return nil
}

// payeeOf is whom a payout to the card goes to: the names of the request win over the one stored (SPEC1,
// "Card payout by token").
func payeeOf(r *records.CardToken, asked *store.Payer) *store.Payer {
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
		record, err := gw.tokenRecord(ctx, records.Owner{MerchantID: s.MerchantID, Test: s.Test}, token)
		if err != nil && refusal.AsError(err).Is(refusal.ErrInternal) {
			return nil, err
		}
		cards = append(cards, SavedCard{record.Card.Mask, record.Card.Expiry.String(), record.Card.Brand})
	}
	return cards, nil
}

func (gw *Gateway) tokenRecord(ctx context.Context, w records.Owner, token string) (record records.CardToken, err error) {
	id, err := gw.tokenID(ctx, token)
	if err != nil {
		return record, err
	}
	err = gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		record, err = records.CardTokens.Get(r, id)
		return err
	})
	switch {
	case records.Absent(err):
		return records.CardToken{}, refusal.ErrCardToken
	case err != nil:
		return records.CardToken{}, err
	case record.MerchantID != w.MerchantID || record.Test != w.Test:
		return records.CardToken{}, refusal.ErrCardTokenOwner
	case record.Card.Expiry != (store.Expiry{}) && record.Card.Expiry.Check(gw.now().Add(-12*time.Hour)) != nil:
		return records.CardToken{}, refusal.ErrCardTokenExpired
	}
	return record, nil
}
