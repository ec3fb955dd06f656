package gateway

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Hosted Payment Fields: the merchant's backend gets a token, the fields on his page collect a card under
// it, and the backend pays with it (SPEC1, "HPF flow order"). The card lies in the session meanwhile,
// sealed under the token, which the store does not have.

// HostedSession is a created session of Hosted Payment Fields. Token is the only copy of its secret.
type HostedSession struct {
	ID        string
	Token     string
	ExpiresAt time.Time
}

// CreateHosted checks a token request as CreateSession checks a session's. Errors: those of CreateSession.
func (gw *Gateway) CreateHosted(ctx context.Context, r SessionRequest) (*HostedSession, error) {
	r.Hosted = true
	s, secret, err := gw.openSession(ctx, &r)
	if err != nil {
		return nil, err
	}
	return &HostedSession{s.ID, returnToken(s.ID, secret), s.ExpiresAt}, nil
}

// hostedPage is the secret of the payer's pages of a session: made of the token's, which it does not tell.
func hostedPage(secret []byte, sessionID string) ([]byte, error) {
	key, err := vault.Derive(secret, "tollgate/held/1/"+string(vault.HostedPage), []byte(sessionID))
	if err != nil {
		return nil, err
	}
	return key.Bytes(), nil
}

// loadHosted finds the session of a token. Error: ErrToken, also once it is expired.
func (gw *Gateway) loadHosted(r store.Reader, token string) (*store.Session, []byte, error) {
	id, secret, ok := splitToken(token)
	if !ok {
		return nil, nil, ErrToken
	}
	s, err := sessions.Get(r, id)
	switch {
	case absent(err):
		return nil, nil, ErrToken
	case err != nil:
		return nil, nil, err
	case !s.Hosted, subtle.ConstantTimeCompare([]byte(s.TokenHash), []byte(hashSecret(secret))) != 1,
		!gw.now().Before(s.ExpiresAt):
		return nil, nil, ErrToken
	}
	return &s, secret, nil
}

// CheckHosted tells whether a token is good, before anything else of its request is looked at (SPEC1,
// "Authentication", 4). Error: ErrToken.
func (gw *Gateway) CheckHosted(ctx context.Context, token string) error {
	return gw.cfg.Store.View(ctx, func(r store.Reader) error {
		_, _, err := gw.loadHosted(r, token)
		return err
	})
}

func (gw *Gateway) hosted(ctx context.Context, token string) (s *store.Session, secret []byte, p *profile, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		s, secret, err = gw.loadHosted(r, token)
		return err
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if s.Parameters, err = gw.openParameters(ctx, s.MerchantID, s.ID, s.SealedParameters); err != nil {
		return nil, nil, nil, err
	}
	p, err = gw.profileByID(ctx, s.MerchantID)
	return s, secret, p, err
}

// heldCard is a card as the fields collected it.
type heldCard struct {
	Number string       `json:"n"`
	Expiry store.Expiry `json:"e"`
	Code   string       `json:"c,omitempty"`
}

// CollectHosted keeps the card that the fields of a session collected, in place of an earlier one, until
// it is charged or the session expires. Errors: ErrToken, ErrSessionOver, ErrInvalid naming card_number or
// expiry.
func (gw *Gateway) CollectHosted(ctx context.Context, token string, card methods.Card) error {
	if faults := gw.cardFaults("card", &card, store.Purchase); len(faults) > 0 {
		return ErrInvalid.Fields(faults...)
	}
	plain, err := json.Marshal(heldCard{card.PAN.Digits(), card.Expiry, card.Code.Digits()})
	if err != nil {
		return err
	}
	defer vault.Wipe(plain)
	id, secret, ok := splitToken(token)
	if !ok {
		return ErrToken
	}
	sealed, err := vault.SealHeld(secret, vault.HostedCard, id, gw.cfg.Random, plain)
	if err != nil {
		return err
	}
	return gw.update(ctx, func(tx store.Tx) error {
		s, _, err := gw.loadHosted(tx, token)
		if err != nil {
			return err
		}
		if s.State != store.SessionOpen {
			return ErrSessionOver
		}
		if err := heldQueue.Move(tx, s.ID, s.ID, s.HeldUntil, s.ExpiresAt); err != nil {
			return err
		}
		s.HeldCard, s.HeldUntil = sealed, s.ExpiresAt
		s.Version++
		return sessions.Put(tx, *s, s.ID)
	})
}

// HostedPayment is the payment request of Hosted Payment Fields (SPEC1, "payment request fields").
type HostedPayment struct {
	Kind      store.Kind // of the endpoint; has to be the session's
	Name      string     // of the cardholder
	Email     string
	BirthDate string
	Billing   store.Address
	Language  string
	Browser   map[string]string
	// ExpectedAmount and ExpectedCurrency refuse a charge that differs, where they are set. They are ours:
	// the amount may have been changed by whoever holds the token.
	ExpectedAmount, ExpectedCurrency string
	// Malformed is what the wire already found wrong; it is reported first and silences the rules of its
	// fields. A payment with any is refused.
	Malformed []Fault
}

// maxClaims bounds how often a payment looks at its session again because it changed meanwhile.
const maxClaims = 10

// PayHosted charges the collected card for what the session says at that moment: an update that was
// accepted before is charged, one that comes later is refused. Where the fields never collected one, the
// saved card of the session's card_token is charged (SPEC1: it "skips card entry"). Errors: ErrToken,
// ErrSessionOver, ErrBusy while an attempt runs, ErrInvalid naming fields, and those of routing and of
// card tokens.
func (gw *Gateway) PayHosted(ctx context.Context, token string, in HostedPayment) (*Result, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	for range maxClaims {
		c, err := gw.hostedCharge(ctx, token, &in)
		if err != nil {
			return nil, err
		}
		r, err := gw.charge(ctx, c)
		if !errors.Is(err, errTaken) {
			return r, err
		}
	}
	return nil, ErrBusy
}

// hostedCharge is the charge that a payment request asks for, as the session stands.
func (gw *Gateway) hostedCharge(ctx context.Context, token string, in *HostedPayment) (*charge, error) {
	s, secret, profile, err := gw.hosted(ctx, token)
	switch {
	case err != nil:
		return nil, err
	case profile.off(store.Checkout):
		return nil, ErrNoMID
	case s.Running:
		return nil, ErrBusy
	case s.State != store.SessionOpen:
		return nil, ErrSessionOver
	}
	c := sessionCharge(s, profile)
	if faults := gw.hostedFaults(s, c, in); len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	page, err := hostedPage(secret, s.ID)
	if err != nil {
		return nil, err
	}
	c.session = &sessionClaim{id: s.ID, attempt: s.Attempts, version: s.Version, secret: page, page: gw.pageURL(returnToken(s.ID, page)), hosted: true}
	if err = gw.hostedCard(ctx, s, secret, c, in.Name); err != nil {
		return nil, err
	}
	sent, _ := sentParameters(s.Parameters)
	if tree, ok := sent["card"].(map[string]any); ok {
		if c.sent, err = json.Marshal(tree); err != nil {
			return nil, err
		}
	}
	return c, nil
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
		return ErrInvalid.Fields(Fault{"card_token", "only one can be charged without a choice of the payer's"})
	}
	return ErrInvalid.Fields(Fault{"card_number", textBlank})
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
		return nil, ErrSealBroken
	}
	card := &methods.Card{Expiry: held.Expiry, Holder: holder}
	if card.PAN, err = store.ParsePAN(held.Number); err != nil {
		return nil, ErrSealBroken
	}
	card.Code, _ = store.ParseSecurityCode(held.Code)
	return card, nil
}

// hostedFaults takes what the payment request adds to the session, by the rules of a session's fields.
func (gw *Gateway) hostedFaults(s *store.Session, c *charge, in *HostedPayment) (faults []Fault) {
	p := &c.payment
	p.Method, c.browser, p.Language = "card", in.Browser, cmp.Or(in.Language, p.Language)
	p.Payer.Name, p.Payer.Email = cmp.Or(in.Name, p.Payer.Name), cmp.Or(in.Email, p.Payer.Email)
	p.Payer.BirthDate = cmp.Or(in.BirthDate, p.Payer.BirthDate)
	if in.Billing != (store.Address{}) {
		p.Payer.Address = in.Billing
	}
	r := &SessionRequest{
		Malformed: in.Malformed, Operation: string(s.Kind), Billing: p.Payer.Address, anyName: c.profile.mapping(store.Checkout).AnyName,
		Customer: Customer{Name: p.Payer.Name, Email: p.Payer.Email, BirthDate: p.Payer.BirthDate},
		Language: p.Language,
	}
	faults = slices.Clone(in.Malformed)
	if in.Kind != s.Kind {
		faults = append(faults, Fault{"operation", textChoice})
	}
	if in.Name == "" && !r.malformed("name") {
		faults = append(faults, Fault{"name", textBlank})
	}
	for _, field := range hostedFields {
		if r.malformed(field.name) {
			continue
		}
		if fault := gw.form.faultAt(field.path, r); fault.Text != "" {
			faults = append(faults, Fault{field.name, fault.Text})
		}
	}
	p.Payer.Address.State = stateOf(p.Payer.Address)
	return append(faults, expected(s, in)...)
}

// hostedFields are the payer's fields of the payment request, by the paths a session has them under.
var hostedFields = []struct{ name, path string }{
	{"name", "customer.name"}, {"email", "customer.email"}, {"birth_date", "customer.birth_date"},
	{"billing_address.country", "billing_address.country"}, {"billing_address.state", "billing_address.state"},
	{"billing_address.city", "billing_address.city"}, {"billing_address.address", "billing_address.address"},
	{"billing_address.house_number", "billing_address.house_number"}, {"billing_address.zip", "billing_address.zip"},
	{"billing_address.phone", "billing_address.phone"}, {"billing_address.district", "billing_address.district"},
	{"selected_language", "billing_address.language"},
}

// expected refuses a charge other than the merchant's backend thinks it is.
func expected(s *store.Session, in *HostedPayment) (faults []Fault) {
	if in.ExpectedCurrency != "" && in.ExpectedCurrency != s.Order.Currency {
		faults = append(faults, Fault{"expected_currency", "the session is in another currency"})
	}
	if in.ExpectedAmount == "" {
		return faults
	}
	asked, err := store.ParseAmount(in.ExpectedAmount)
	stands, _ := store.ParseAmount(s.Order.Amount)
	if err != nil || asked.Cmp(stands) != 0 {
		faults = append(faults, Fault{"expected_amount", "the session is about another amount"})
	}
	return faults
}

// HostedOrigins are the origins that may embed the fields of a session: the merchant's registered ones, or
// those of the session's own URLs (decision ag). Error: ErrToken for an id that is none, or of a session
// that has expired.
func (gw *Gateway) HostedOrigins(ctx context.Context, sessionID string) ([]string, error) {
	var s store.Session
	err := gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		s, err = sessions.Get(r, sessionID)
		return err
	})
	if absent(err) || err == nil && (!s.Hosted || !gw.now().Before(s.ExpiresAt)) {
		return nil, ErrToken
	}
	if err != nil {
		return nil, err
	}
	p, err := gw.profileByID(ctx, s.MerchantID)
	if err != nil {
		return nil, err
	}
	if len(p.merchant.Origins) > 0 {
		return p.merchant.Origins, nil
	}
	return origins(s.ReturnURL, s.SuccessURL, s.CancelURL, s.ErrorURL, s.ExpiryURL), nil
}

// ReturnParams are the parameters that go with the payer to the merchant (SPEC1, "Events"), for a merchant
// whose own page takes him there.
func (gw *Gateway) ReturnParams(ctx context.Context, r *Result) ([]store.NextParam, error) {
	p, err := gw.profileByID(ctx, r.Payment.MerchantID)
	if err != nil {
		return nil, err
	}
	v := view{profile: p, p: &r.Payment, t: &r.Transaction}
	var list []store.NextParam
	for _, pair := range v.returnParams() {
		list = append(list, store.NextParam{Name: pair[0], Value: pair[1]})
	}
	return list, nil
}
