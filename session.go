package gateway

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Session is a created Checkout session: its id for the host, its link for the payer. The link is the
// only copy of its secret.
type Session struct {
	ID          string
	RedirectURL string
	ExpiresAt   time.Time
}

// CreateSession checks a session request, its signature where it came with one, and that a MID can
// take it, and stores the session. Errors: ErrInvalid with every field that failed, ErrDuplicate
// within 15 seconds of the same order number, and the routing errors. A refused request stores nothing.
func (gw *Gateway) CreateSession(ctx context.Context, r SessionRequest) (*Session, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	if faults := gw.form.check(&r); len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	profile, test, err := gw.authenticate(ctx, r.MerchantKey, r.Proof)
	if err != nil {
		return nil, err
	}
	if gw.beginsWithPayment(ctx, r.Order.Number) {
		return nil, ErrInvalid.Fields(Fault{"order.number", textInvalid})
	}
	if faults := profile.secureOnly(&r); len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	for _, token := range r.Extra.CardTokens {
		if _, err := gw.tokenRecord(ctx, whose{profile.merchant.ID, test}, token); err != nil {
			return nil, err
		}
	}
	if faults := gw.unknownMethods(&r); len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	candidate, err := gw.routable(profile, &r, test)
	if err != nil {
		return nil, err
	}
	if faults := gw.parameterFaults(&r, candidate); len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	s, secret, err := gw.newSession(profile, &r, test)
	if err != nil {
		return nil, err
	}
	if s.SealedParameters, err = gw.sealParameters(ctx, s.MerchantID, s.ID, r.Parameters); err != nil {
		return nil, err
	}
	stored := func(r store.Reader) error { _, err := sessions.Get(r, s.ID); return err }
	err = gw.create(ctx, stored, func(tx store.Tx) error {
		if err := takeWindow(tx, s.MerchantID, s.Order.Number, s.CreatedAt); err != nil {
			return err
		}
		return sessions.Insert(tx, *s, s.ID)
	})
	if err != nil {
		return nil, err
	}
	return &Session{s.ID, gw.pageURL(returnToken(s.ID, secret)), s.ExpiresAt}, nil
}

func (gw *Gateway) pageURL(token string) string { return gw.cfg.PublicURL + "/auth/" + token }

// routable asks whether any MID could take the session, by any of the methods asked for.
func (gw *Gateway) routable(p *profile, r *SessionRequest, test bool) (*route.Candidate, error) {
	s := store.Session{Kind: store.Kind(r.Operation), Hold: r.Hold, Test: test, Order: r.Order, ChannelID: r.ChannelID, Extra: r.Extra}
	why := route.NoMethod
	for _, method := range codesOf(r.Methods, r.Order, r.Billing.Country, p) {
		var candidates []route.Candidate
		if candidates, why = gw.route(store.Checkout, gw.routeRequest(&s, method), p); why == route.None {
			return &candidates[0], nil
		}
	}
	return nil, routeError(store.Checkout, why)
}

// beginsWithPayment reports an order number that begins with the id of a payment of ours. The hash in a
// payer's return link covers payment id, number, amount and the rest with nothing between them, as a
// session's covers number, amount and the rest: whoever has such a link could pass its hash off as a
// merchant's signature on a session of that number.
func (gw *Gateway) beginsWithPayment(ctx context.Context, number string) bool {
	const length = len("00000000-0000-0000-0000-000000000000")
	if len(number) < length || number[8] != '-' {
		return false
	}
	_, err := gw.payment(ctx, number[:length])
	return err == nil
}

// isMOTO reports a payment that the merchant takes by mail or telephone (decision t).
func isMOTO(motoType string) bool { return motoType != "" && motoType != "ecommerce" }

// secureOnly is the merchant's option to take https URLs only.
func (p *profile) secureOnly(r *SessionRequest) (faults []Fault) {
	if !p.merchant.HTTPSOnly {
		return nil
	}
	urls := []Fault{{"cancel_url", r.CancelURL}, {"success_url", r.SuccessURL}, {"expiry_url", r.ExpiryURL}, {"error_url", r.ErrorURL}}
	for _, u := range urls {
		if u.Text != "" && !hasScheme(u.Text, "https") {
			faults = append(faults, Fault{u.Path, textURL})
		}
	}
	return faults
}

func (gw *Gateway) newSession(p *profile, r *SessionRequest, test bool) (*store.Session, []byte, error) {
	secret := make([]byte, secretSize)
	if _, err := io.ReadFull(gw.cfg.Random, secret); err != nil {
		return nil, nil, fmt.Errorf("no random bytes for a link: %w", err)
	}
	minutes := DefaultExpiryMinutes
	if r.Expiry != nil {
		minutes = *r.Expiry
	}
	now := gw.now()
	billing := r.Billing
	billing.State = stateOf(billing)
	return &store.Session{
		ID: gw.cfg.NewID(), MerchantID: p.merchant.ID, TokenHash: hashSecret(secret), Test: test,
		State: store.SessionOpen, Version: 1, Kind: store.Kind(r.Operation), Hold: r.Hold, Order: r.Order,
		Methods: r.Methods, ChannelID: r.ChannelID, SuccessURL: r.SuccessURL, CancelURL: r.CancelURL,
		ExpiryURL: r.ExpiryURL, ErrorURL: r.ErrorURL, URLTarget: r.URLTarget,
		Payer: store.Payer{Name: r.Customer.Name, Email: r.Customer.Email, BirthDate: r.Customer.BirthDate,
			IP: r.Customer.IP, Address: billing},
		Language: r.Language, CustomData: r.CustomData, Extra: r.Extra,
		CreatedAt: now, ExpiresAt: now.Add(time.Duration(minutes) * time.Minute),
	}, secret, nil
}

// loadSession finds the session of a link. A wrong secret is as absent as a wrong id.
func loadSession(r store.Reader, token string) (*store.Session, error) {
	id, secret, ok := splitToken(token)
	if !ok {
		return nil, ErrNoSession
	}
	s, err := sessions.Get(r, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, ErrNoSession
	}
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(s.TokenHash), []byte(hashSecret(secret))) != 1 {
		return nil, ErrNoSession
	}
	return &s, nil
}

// PaySession starts the next attempt of a session with the payer's card, and answers what the payer
// should see then. A submission whose attempt is used up, a session that is over or has an attempt
// running starts nothing: the answer is the turn as it stands. Errors: ErrNoSession, and the errors
// of routing and of a card that is refused before anything is stored.
func (gw *Gateway) PaySession(ctx context.Context, token string, in Submission) (*Turn, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	s, profile, err := gw.session(ctx, token)
	if err != nil {
		return nil, err
	}
	if !gw.payable(s, in.Attempt) {
		return gw.Turn(ctx, token)
	}
	if profile.off(store.Checkout) {
		return nil, ErrNoMID
	}
	c, err := gw.submitted(ctx, s, profile, &in)
	if err != nil {
		return nil, err
	}
	c.session = &sessionClaim{id: s.ID, attempt: in.Attempt, secret: linkSecret(token), page: gw.pageURL(token)}
	if _, err := gw.charge(ctx, c); err != nil && !errors.Is(err, errTaken) {
		return nil, err
	}
	return gw.Turn(ctx, token)
}

// submitted is the charge that a submission asks for; every field that is wrong is named.
func (gw *Gateway) submitted(ctx context.Context, s *store.Session, profile *profile, in *Submission) (*charge, error) {
	choice, err := choose(gw.choices(s, profile), in.Method)
	if err != nil {
		return nil, err
	}
	c := sessionCharge(s, profile)
	p := &c.payment
	p.Method, c.browser = choice.Code, in.Browser
	p.Payer.IP = cmp.Or(in.IP, p.Payer.IP)
	if c.parameters, err = answered(s, choice, in.Answers); err != nil {
		return nil, err
	}
	faults := gw.fillIn(&p.Payer, choice.Fields, in.Fields)
	if profile.mapping(store.Checkout).TermsURL != "" && !in.Terms {
		faults = append(faults, Fault{"terms", "must be accepted"})
	}
	if amountChosen(s) {
		faults = append(faults, gw.form.chosenAmount(&p.Order, in.Amount)...)
	}
	if choice.Kind == methods.KindCard {
		if err := gw.submittedCard(ctx, s, c, in); err != nil {
			return nil, err
		}
		faults = append(faults, gw.cardFaults(choice.Code, c.card, s.Kind)...)
	}
	if len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	return c, nil
}

// submittedCard is the card typed, or the saved one chosen. A payout's is the payee's, and so is the name.
func (gw *Gateway) submittedCard(ctx context.Context, s *store.Session, c *charge, in *Submission) error {
	p := &c.payment
	switch {
	case in.Saved > 0 && in.Saved <= len(s.Extra.CardTokens):
		if err := gw.useToken(ctx, c, s.Extra.CardTokens[in.Saved-1]); err != nil {
			return err
		}
		c.card.Code = in.Card.Code
	default:
		card := in.Card
		c.card = &card
		if s.Kind != store.Credit {
			p.Payer.Name = cmp.Or(p.Payer.Name, card.Holder)
		}
	}
	if s.Kind == store.Credit {
		c.card.Code = store.SecurityCode{} // never asked for, never sent (decision aa)
	}
	if !in.PayeeCard.IsZero() && s.Kind == store.Transfer {
		c.payeeCard = &methods.Card{PAN: in.PayeeCard}
	}
	return nil
}

// amountChosen: a transfer of -1 leaves the amount to the payer (SPEC1, "Amount format").
func amountChosen(s *store.Session) bool {
	return s.Kind == store.Transfer && s.Order.Amount == amountOpen
}

// amountOpen is the amount of a transfer whose payer chooses it.
const amountOpen = "-1"

// sessionCharge is what a session asks for.
func sessionCharge(s *store.Session, p *profile) *charge {
	return &charge{
		profile: p, channel: s.ChannelID,
		payment: store.Payment{
			Protocol: store.Checkout, Kind: s.Kind, Hold: s.Hold, Test: s.Test, Order: s.Order, Payer: s.Payer,
			Payee: s.Extra.Payee, MOTOType: s.Extra.MOTOType, CryptoNetwork: s.Extra.CryptoNetwork,
			CustomData: s.CustomData, ReqToken: s.Extra.ReqToken, RecurringInit: s.Extra.RecurringInit,
			ScheduleID: s.Extra.ScheduleID, Language: s.Language, VATCalc: s.Extra.VATCalc,
			NotificationURL: notificationURL(&p.merchant, s.Test, ""),
		},
	}
}

// errTaken: another submission was first. It never leaves the package.
var errTaken = errors.New("gateway: the attempt is taken")

// payable reports whether an attempt may start now.
func (gw *Gateway) payable(s *store.Session, attempt int) bool {
	return s.State == store.SessionOpen && !s.Running && attempt == s.Attempts && gw.now().Before(s.ExpiresAt)
}

// sessionClaim makes a charge an attempt of a session: within step one it takes the session, if it is
// still free, so that of two equal submissions one charges.
type sessionClaim struct {
	id      string
	attempt int
	secret  []byte // of the session's link
	page    string // the link
}

func (claim *sessionClaim) take(tx store.Tx, c *charge) error {
	s, err := sessions.Get(tx, claim.id)
	if err != nil {
		return err
	}
	if s.State != store.SessionOpen || s.Running || s.Attempts != claim.attempt || !c.payment.CreatedAt.Before(s.ExpiresAt) {
		return errTaken
	}
	s.Attempts++
	s.Version++
	s.Payer = c.payment.Payer // what he told is not asked for again
	s.Running, s.PaymentID = true, c.payment.ID
	c.payment.SessionID = s.ID
	return sessions.Put(tx, s, s.ID)
}

// attempt tells the session of a payment what came of its attempt: one success per link, and a closed
// link after the mapping's number of declines (SPEC1, Limits; checkout.md, "Link semantics"). Another
// attempt of a cascade goes on with it.
func (s *step) attempt() error {
	if s.p.SessionID == "" || s.t.ID != s.p.ChargeID() || !s.t.Outcome.Final() {
		return nil
	}
	session, err := sessions.Get(s.tx, s.p.SessionID)
	if err != nil {
		return err
	}
	session.Version++
	switch {
	case s.o.cascaded:
		session.PaymentID = s.o.then.payment.ID
		return sessions.Put(s.tx, session, session.ID)
	case s.t.Outcome == store.Success:
		session.State = store.SessionPaid
	default:
		session.Declines++
		if session.Bare || session.Declines >= maxDeclines(s.profile.mapping(s.p.Protocol)) {
			session.State = store.SessionClosed
		}
	}
	session.Running = false
	return sessions.Put(s.tx, session, session.ID)
}

func maxDeclines(m *store.Mapping) int {
	if m.MaxDeclines > 0 {
		return m.MaxDeclines
	}
	return store.DefaultMaxDeclines
}

// LeaveSession is the payer closing the form. A session with an attempt running cannot be left; the
// answer is then the turn as it stands.
func (gw *Gateway) LeaveSession(ctx context.Context, token string) (*Turn, error) {
	err := gw.update(ctx, func(tx store.Tx) error {
		s, err := loadSession(tx, token)
		if err != nil {
			return err
		}
		if s.State != store.SessionOpen || s.Running || !gw.now().Before(s.ExpiresAt) {
			return nil
		}
		s.State = store.SessionClosed
		s.Version++
		return sessions.Put(tx, *s, s.ID)
	})
	if err != nil {
		return nil, err
	}
	return gw.Turn(ctx, token)
}

func (gw *Gateway) session(ctx context.Context, token string) (s *store.Session, p *profile, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		s, err = loadSession(r, token)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if s.Parameters, err = gw.openParameters(ctx, s.MerchantID, s.ID, s.SealedParameters); err != nil {
		return nil, nil, err
	}
	p, err = gw.profileByID(ctx, s.MerchantID)
	return s, p, err
}
