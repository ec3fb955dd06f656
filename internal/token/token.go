package token

import (
	"cmp"
	"context"
	"encoding/hex"
	"time"

	"github.com/tollgatepay/gateway/internal/ids"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// KeepReference stores the reference that a MID returned for a stored card. It needs the lookup key of tokens,
// which was fetched before the transaction; without it the card is registered with its next use.
func (c *Cards) KeepReference(tx store.Tx, p *records.Payment, mid, credential string) error {
	key := c.Seals.Lookup.Load()
	if p.CardToken == "" || key == nil {
		return nil
	}
	record, err := records.CardTokens.Get(tx, vault.Lookup(*key, vault.Token, p.CardToken))
	if records.Absent(err) || err == nil && record.Credentials[mid] != "" {
		return nil
	} else if err != nil {
		return err
	}
	record.Credentials = record.Credentials.With(mid, credential)
	return records.CardTokens.Put(tx, record, record.ID)
}

// tokenSize is half the length of a token, in bytes.
const tokenSize = 32

// Insert stores the token that a charge issues, if any.
func Insert(r *records.CardToken, tx store.Tx) error {
	return records.CardTokens.Insert(tx, *r, r.ID)
}

// Forget deletes the token of an attempt that another one follows. Each attempt issues its own token, and no card
// is kept under one that the merchant does not know.
func Forget(tx store.Tx, p *records.Payment, id string) error {
	p.CardToken = ""
	return records.CardTokens.Delete(tx, id)
}

// Issue makes the token for a charge that requests one.
func (c *Cards) Issue(ctx context.Context, p *records.Payment, card *methods.Card) (*records.CardToken, error) {
	random, err := ids.Random(c.Random, tokenSize, "a card token")
	if err != nil {
		return nil, err
	}
	p.CardToken = hex.EncodeToString(random)
	record := &records.CardToken{MerchantID: p.MerchantID, Test: p.Test, Card: *p.Card, Name: p.Payer.FullName(),
		CreatedAt: p.CreatedAt}
	if record.ID, err = c.tokenID(ctx, p.CardToken); err != nil {
		return nil, err
	}
	record.SealedCard, err = c.Seals.Card(ctx, p.MerchantID, record.ID, card, nil)
	return record, err
}

// tokenID returns the id of a token's record.
func (c *Cards) tokenID(ctx context.Context, token string) (string, error) {
	key, err := c.Seals.LookupKey(ctx)
	if err != nil {
		return "", err
	}
	return vault.Lookup(key, vault.Token, token), nil
}

// PayeeOf returns the payee of a payout to the card: names in the request replace the stored one (SPEC1, "Card
// payout by token").
func PayeeOf(r *records.CardToken, asked *store.Payer) *store.Payer {
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

// Find finds a saved card of a merchant by its token.
func (c *Cards) Find(ctx context.Context, w records.Owner, token string) (record records.CardToken, err error) {
	id, err := c.tokenID(ctx, token)
	if err != nil {
		return record, err
	}
	err = c.Store.View(ctx, func(r store.Reader) (err error) {
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
	case record.Card.Expiry != (store.Expiry{}) && record.Card.Expiry.Check(c.Now().Add(-12*time.Hour)) != nil:
		return records.CardToken{}, refusal.ErrCardTokenExpired
	}
	return record, nil
}
