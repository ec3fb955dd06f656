package gateway

import (
	"cmp"
	"context"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Collect stores the card that the fields of a session collected, in place of an earlier one, until it is charged or
// the session expires. While Checkout is off, neither this card nor the earlier one is kept. Errors: ErrToken,
// ErrNoMID where Checkout is off, ErrSessionOver, ErrInvalid naming card_number, expiry or, where the session needs
// one, card_cvv2.
func (h HostedFields) Collect(ctx context.Context, token string, card methods.Card) error {
	gw := made(h.gw)
	if faults := gw.router.CardFaults(store.Checkout, "card", &card, store.Purchase, gw.Now()); len(faults) > 0 {
		return refusal.ErrInvalid.Fields(faults...)
	}
	if err := h.mayCollect(ctx, token); err != nil {
		return err
	}
	sealed, err := session.SealCard(token, &card, gw.cfg.Random)
	if err != nil {
		return err
	}
	return gw.update(ctx, func(tx store.Tx) error {
		s, _, err := session.LoadHosted(tx, token, gw.Now())
		if err != nil {
			return err
		}
		if s.State != store.SessionOpen {
			return refusal.ErrSessionOver
		}
		if codeNeed(s) == CodeNeeded && card.Code.Digits() == "" {
			return refusal.ErrInvalid.Fields(refusal.Fault{Path: "card_cvv2", Text: store.ErrSecurityCode.Error()})
		}
		return session.HoldCard(tx, s, sealed)
	})
}

// mayCollect refuses a card while Checkout is off. The earlier card is erased too, because the payer wants to pay with
// another one.
func (h HostedFields) mayCollect(ctx context.Context, token string) error {
	var s *store.Session
	err := h.gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		s, _, err = session.LoadHosted(r, token, h.gw.Now())
		return err
	})
	if err != nil {
		return err
	}
	p, err := h.gw.merchants.ByID(ctx, s.MerchantID)
	if err != nil || !p.Off(store.Checkout) {
		return err
	}
	return cmp.Or(h.gw.update(ctx, func(tx store.Tx) error { return session.DropCard(tx, token, h.gw.Now()) }),
		error(refusal.ErrNoMID))
}

// card gives the charge its card: the collected one, or else the saved one. The payer is not there to choose, so
// none of several saved cards is charged. Once a card was typed no other is charged in its place, as a payment that is
// sent twice would do after a decline.
func (h HostedFields) card(ctx context.Context, s *store.Session, secret []byte, c *charge.Draft,
	holder string) (err error) {
	switch saved := s.Extra.CardTokens; {
	case s.HeldCard != nil:
		c.PayCard, err = session.OpenCard(s, secret, holder)
		return err
	case !s.HeldUntil.IsZero(): // one was collected, and charged
	case len(saved) == 1:
		return h.gw.charges.UseToken(ctx, c, saved[0])
	case len(saved) > 1:
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: "card_token",
			Text: "only one can be charged without a choice of the payer's"})
	}
	return refusal.ErrInvalid.Fields(refusal.Fault{Path: "card_number", Text: fields.TextBlank})
}

// method returns the method of a payment of a hosted session: the first method for cards that a MID can take, of
// those that the session was limited to or that pre-routing leaves. Error: ErrNoMethods if none of them takes cards
// (decision at).
func (h HostedFields) method(s *store.Session, p *merchant.Profile) (string, error) {
	codes := h.gw.router.CardCodes(charge.Codes(s, p))
	if len(codes) == 0 {
		return "", refusal.ErrNoMethods
	}
	for _, code := range codes {
		if _, why := h.gw.router.Route(store.Checkout, h.gw.router.RouteRequest(s, code), p); why == route.None {
			return code, nil
		}
	}
	return codes[0], nil // its charge returns why it cannot be taken
}
