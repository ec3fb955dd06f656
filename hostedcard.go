package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// The card of a hosted session, from its fields to its charge.

// heldCard is a card as the fields collected it.
type heldCard struct {
	Number string       `json:"n"`
	Expiry store.Expiry `json:"e"`
	Code   string       `json:"c,omitempty"`
}

// CollectHosted keeps the card that the fields of a session collected, in place of an earlier one, until
// it is charged or the session expires. While Checkout is off none is kept, neither this one nor the earlier. Errors:
// ErrToken, ErrNoMID where Checkout is off, ErrSessionOver, ErrInvalid naming card_number, expiry or, where the session
// needs one, card_cvv2.
func (gw *Gateway) CollectHosted(ctx context.Context, token string, card methods.Card) error {
	if faults := gw.cardFaults("card", &card, store.Purchase); len(faults) > 0 {
		return refusal.ErrInvalid.Fields(faults...)
	}
	if err := gw.mayCollect(ctx, token); err != nil {
		return err
	}
	sealed, err := sealHosted(token, &card, gw.cfg.Random)
	if err != nil {
		return err
	}
	return gw.update(ctx, func(tx store.Tx) error {
		s, _, err := loadHosted(tx, token, gw.now())
		if err != nil {
			return err
		}
		if s.State != store.SessionOpen {
			return refusal.ErrSessionOver
		}
		if codeNeed(s) == CodeNeeded && card.Code.Digits() == "" {
			return refusal.ErrInvalid.Fields(refusal.Fault{Path: "card_cvv2", Text: store.ErrSecurityCode.Error()})
		}
		return holdCard(tx, s, sealed)
	})
}

// sealHosted seals a card under the token of its session.
func sealHosted(token string, card *methods.Card, random io.Reader) ([]byte, error) {
	plain, err := json.Marshal(heldCard{card.PAN.Digits(), card.Expiry, card.Code.Digits()})
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	id, secret, ok := links.Split(token)
	if !ok {
		return nil, refusal.ErrToken
	}
	return vault.SealHeld(secret, vault.HostedCard, id, random, plain)
}

// holdCard keeps a sealed card in place of an earlier one, until the session expires.
func holdCard(tx store.Tx, s *store.Session, sealed []byte) error {
	if err := records.HeldQueue.Move(tx, s.ID, s.ID, s.HeldUntil, s.ExpiresAt); err != nil {
		return err
	}
	s.HeldCard, s.HeldUntil = sealed, s.ExpiresAt
	s.Version++
	return records.Sessions.Put(tx, *s, s.ID)
}

// mayCollect refuses a card while Checkout is off. The card it was to stand for is not kept either: it is not the one
// that the payer means to pay with any more.
func (gw *Gateway) mayCollect(ctx context.Context, token string) error {
	var s *store.Session
	err := gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		s, _, err = loadHosted(r, token, gw.now())
		return err
	})
	if err != nil {
		return err
	}
	p, err := gw.merchants.ByID(ctx, s.MerchantID)
	if err != nil || !p.Off(store.Checkout) {
		return err
	}
	return cmp.Or(gw.update(ctx, func(tx store.Tx) error { return dropHeld(tx, token, gw.now()) }), error(refusal.ErrNoMID))
}

// dropHeld erases the card that a session has collected, if any.
func dropHeld(tx store.Tx, token string, now time.Time) error {
	s, _, err := loadHosted(tx, token, now)
	if err != nil || s.HeldCard == nil {
		return err
	}
	s.HeldCard = nil
	s.Version++
	return records.Sessions.Put(tx, *s, s.ID)
}

// hostedCard gives the charge its card: the one that was collected, else the saved one. The payer is not
// there to choose, so of several saved cards none is charged; and once he typed a card, another is not
// charged in its place, as a payment sent twice would do after a decline.
func (gw *Gateway) hostedCard(ctx context.Context, s *store.Session, secret []byte, c *charge, holder string) (err error) {
	switch saved := s.Extra.CardTokens; {
	case s.HeldCard != nil:
		c.card, err = openHosted(s, secret, holder)
		return err
	case !s.HeldUntil.IsZero(): // one was collected, and charged
	case len(saved) == 1:
		return gw.useToken(ctx, c, saved[0])
	case len(saved) > 1:
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: "card_token", Text: "only one can be charged without a choice of the payer's"})
	}
	return refusal.ErrInvalid.Fields(refusal.Fault{Path: "card_number", Text: fields.TextBlank})
}

// openHosted opens the collected card.
func openHosted(s *store.Session, secret []byte, holder string) (*methods.Card, error) {
	plain, err := vault.OpenHeld(secret, vault.HostedCard, s.ID, s.HeldCard)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	var held heldCard
	if json.Unmarshal(plain, &held) != nil {
		return nil, keys.ErrBroken
	}
	card := &methods.Card{Expiry: held.Expiry, Holder: holder}
	if card.PAN, err = store.ParsePAN(held.Number); err != nil {
		return nil, keys.ErrBroken
	}
	card.Code, _ = store.ParseSecurityCode(held.Code)
	return card, nil
}

// cardCodes are the methods among codes whose card the fields collect.
func (gw *Gateway) cardCodes(codes []string) []string {
	return slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
		method, known := gw.catalogue.Lookup(code)
		return !known || method.Kind != methods.KindCard
	})
}

// hostedMethod is the method that a payment of a hosted session goes by: the first that takes cards, of those it
// was limited to or that pre-routing leaves, and that a MID can take. Error: ErrNoMethods where none of them
// takes cards (decision at).
func (gw *Gateway) hostedMethod(s *store.Session, p *merchant.Profile) (string, error) {
	codes := gw.cardCodes(codesOf(s.Methods, s.Order, s.Payer.Address.Country, p))
	if len(codes) == 0 {
		return "", refusal.ErrNoMethods
	}
	for _, code := range codes {
		if _, why := gw.route(store.Checkout, gw.routeRequest(s, code), p); why == route.None {
			return code, nil
		}
	}
	return codes[0], nil // whose charge tells why it cannot be taken
}
