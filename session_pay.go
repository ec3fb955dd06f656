package gateway

import (
	"cmp"
	"context"
	"errors"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// PaySession starts the next attempt of a session with the payer's card, and returns what the payer should see then. If
// the attempt is used up, or the session is over or has an attempt running, it starts nothing and returns the current
// next action. Errors: ErrNoSession, the errors of routing and of a card that is refused before anything is stored, and
// ErrInvalid naming agreement if the payer saw other terms than those that hold now.
func (gw *Gateway) PaySession(ctx context.Context, token string, in Submission) (*NextAction, error) {
	if err := made(gw).gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	s, profile, err := gw.session(ctx, token)
	if err != nil {
		return nil, err
	}
	// The profile from before the attempt also shows the next action, even if the merchant is switched off or its mapping
	// changes during the call to the acquirer: one request uses one snapshot.
	v := &view{gw: gw, profile: profile, link: links.Secret(token)}
	if !gw.payable(s, in.Attempt) {
		return v.show(ctx, token)
	}
	if profile.Off(store.Checkout) {
		return nil, refusal.ErrNoMID
	}
	c, told, err := gw.submitted(ctx, s, profile, &in)
	if err != nil {
		return nil, err
	}
	c.Session = &session.Claim{
		ID: s.ID, Attempt: in.Attempt, Secret: links.Secret(token), Page: gw.site.Page(token), PayerInput: told,
		Until:  s.ExpiresAt,
		Agreed: gw.offers.agreed(s, profile, in.Agreement),
	}
	switch _, err := gw.charges.Charge(ctx, c); {
	case errors.Is(err, refusal.ErrDuplicate): // the same signature has already made this payout
		if err := gw.update(ctx, func(tx store.Tx) error { return session.Leave(tx, token, gw.Now()) }); err != nil {
			return nil, err
		}
		return v.show(ctx, token)
	case err != nil && !errors.Is(err, records.ErrTaken):
		return nil, err
	}
	return v.show(ctx, token)
}

// submitted returns the charge that a submission asks for, and what the payer entered. Its error names every field that
// is wrong.
func (gw *Gateway) submitted(ctx context.Context, s *store.Session, profile *merchant.Profile,
	in *Submission) (c *charge.Draft, told map[string]string, err error) {
	if err := profile.Opens(in.Method); err != nil {
		return nil, nil, err
	}
	choice, err := choose(gw.offers.choices(s, profile), in.Method)
	if err != nil {
		return nil, nil, err
	}
	*in = in.remembering(s)
	c = charge.OfSession(s, profile)
	p := &c.Payment
	p.Method, c.Browser = choice.Code, in.Browser
	p.Payer.IP = cmp.Or(in.IP, p.Payer.IP)
	if c.Sent, err = answered(s, choice, in.Answers); err != nil {
		return nil, nil, err
	}
	faults := gw.offers.fillIn(&p.Payer, profile.Mapping(store.Checkout), choice.Fields, in.Fields)
	if profile.Mapping(store.Checkout).TermsURL != "" && !in.Terms {
		faults = append(faults, refusal.Fault{Path: "terms", Text: fields.TextAccepted})
	}
	if in.Saved < 0 || in.Saved > len(s.Extra.CardTokens) {
		return nil, nil, refusal.ErrInvalid.Fields(append(faults, refusal.Fault{Path: "saved", Text: fields.TextChoice})...)
	}
	if amountChosen(s) {
		faults = append(faults, gw.form.chosenAmount(&p.Order, profile.Mapping(store.Checkout), in.Amount)...)
	}
	if choice.Kind == methods.KindCard {
		if err := gw.submittedCard(ctx, s, c, in); err != nil {
			return nil, nil, err
		}
		faults = append(faults, gw.router.CardFaults(store.Checkout, choice.Code, c.PayCard, s.Kind, gw.Now())...)
		faults = append(faults, typedFaults(s, profile.Mapping(store.Checkout), in)...)
		if s.Kind == store.Transfer && c.ToCard == nil {
			faults = append(faults, refusal.Fault{Path: "payee_card", Text: fields.TextBlank})
		}
	}
	if merchant.ReadsTokens(choice.Code) && in.WalletToken == "" {
		faults = append(faults, refusal.Fault{Path: charge.TokenPath(store.Checkout), Text: fields.TextBlank})
	}
	if gw.router.IsWallet(choice.Code) && in.WalletToken != "" {
		c.WalletToken = &charge.WalletToken{Text: []byte(in.WalletToken)}
	}
	if len(faults) > 0 {
		return nil, nil, refusal.ErrInvalid.Fields(faults...)
	}
	told = givenNow(s, &p.Payment, choice.Fields)
	recall(&p.Payer, s.PayerInput, told)
	return c, told, nil
}

// typedFaults returns what a card form lacks besides the card: the code if it is needed, and the name, in letters, if
// the mapping needs one. A saved card has both.
func typedFaults(s *store.Session, mapping *store.Mapping, in *Submission) (faults []refusal.Fault) {
	switch payout := s.Kind == store.Credit && len(s.Extra.CardTokens) > 0; {
	case payout && in.Saved == 0:
		return []refusal.Fault{{Path: "card_token", Text: fields.TextChoice}} // the merchant has named the cards to pay to
	case payout && in.Card.Expiry == (store.Expiry{}):
		return []refusal.Fault{{Path: "expiry", Text: fields.TextBlank}}
	case in.Saved > 0:
		return nil
	}
	if codeNeed(s) == CodeNeeded && in.Card.Code.Digits() == "" {
		faults = append(faults, refusal.Fault{Path: "card_cvv2", Text: fields.TextBlank})
	}
	switch needed := mapping.RequireName && s.Payer.Name == "" && s.Kind != store.Credit; {
	case needed && in.Card.Holder == "":
		faults = append(faults, refusal.Fault{Path: "holder", Text: fields.TextBlank})
	case in.Card.Holder != "" && !fields.Letters.MatchString(in.Card.Holder):
		faults = append(faults, refusal.Fault{Path: "holder", Text: fields.TextInvalid})
	case utf8.RuneCountInString(in.Card.Holder) > maxName:
		faults = append(faults, refusal.Fault{Path: "holder", Text: fields.TextLong(maxName)})
	}
	return faults
}

// submittedCard stores the typed or the saved card in the draft. A payout's card and name are the payee's.
func (gw *Gateway) submittedCard(ctx context.Context, s *store.Session, c *charge.Draft, in *Submission) error {
	p := &c.Payment
	switch {
	case in.Saved > 0:
		if err := gw.charges.UseToken(ctx, c, s.Extra.CardTokens[in.Saved-1]); err != nil {
			return err
		}
		c.PayCard.Code = in.Card.Code
	default:
		card := in.Card
		c.PayCard = &card
		if s.Kind != store.Credit {
			p.Payer.Name = cmp.Or(p.Payer.Name, card.Holder)
		}
	}
	if s.Kind == store.Credit {
		c.PayCard.Expiry = in.Card.Expiry     // the page asks for it, also for a saved card (decision aw)
		c.PayCard.Code = store.SecurityCode{} // never asked for, never sent (decision aa)
	}
	if !in.PayeeCard.IsZero() && s.Kind == store.Transfer {
		c.ToCard = &methods.Card{PAN: in.PayeeCard}
	}
	return nil
}

// payable reports whether an attempt may start now.
func (gw *Gateway) payable(s *store.Session, attempt int) bool {
	return s.State == store.SessionOpen && !s.Running && attempt == s.Attempts && gw.Now().Before(s.ExpiresAt)
}

// LeaveSession closes a session whose payer closes the form. A session with an attempt running stays open. It returns
// the next action.
func (gw *Gateway) LeaveSession(ctx context.Context, token string) (*NextAction, error) {
	if err := made(gw).update(ctx, func(tx store.Tx) error { return session.Leave(tx, token, gw.Now()) }); err != nil {
		return nil, err
	}
	return gw.NextAction(ctx, token)
}
