package gateway

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

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
	// the amount may have been changed by a holder of the token. A mapping can demand the amount.
	ExpectedAmount, ExpectedCurrency string
	// Malformed is what the wire already found wrong; it is reported first and silences the rules of its
	// fields. A payment with any is refused.
	Malformed []refusal.Fault
}

// maxClaims bounds how often a payment reads its session again because it changed meanwhile.
const maxClaims = 10

// Pay charges the collected card by the session as it is at that moment: an update that was accepted before counts, a
// later one is refused. If the fields never collected a card, the saved card of the session's card_token is charged
// (SPEC1: it "skips card entry"). Errors: ErrToken,
// ErrSessionOver, ErrBusy while an attempt runs, ErrInvalid naming fields, and those of routing and of
// card tokens.
func (h HostedFields) Pay(ctx context.Context, token string, in HostedPayment) (*Result, error) {
	if err := made(h.gw).gate.Enter(); err != nil {
		return nil, err
	}
	defer h.gw.gate.Leave()
	for range maxClaims {
		c, err := h.charge(ctx, token, &in)
		if err != nil {
			return nil, err
		}
		r, err := h.gw.charges.Charge(ctx, c)
		if !errors.Is(err, records.ErrTaken) {
			return shown(r), err
		}
	}
	return nil, refusal.ErrBusy
}

// charge returns the charge of a payment request, by the session as it is now.
func (h HostedFields) charge(ctx context.Context, token string, in *HostedPayment) (*charge.Draft, error) {
	s, secret, profile, err := h.load(ctx, token)
	switch {
	case err != nil:
		return nil, err
	case profile.Off(store.Checkout):
		return nil, refusal.ErrNoMID
	case s.Running:
		return nil, refusal.ErrBusy
	case s.State != store.SessionOpen:
		return nil, refusal.ErrSessionOver
	}
	c := charge.OfSession(s, profile)
	if c.Payment.Method, err = h.method(s, profile); err != nil {
		return nil, err
	}
	if faults := h.faults(s, c, in); len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	page, err := session.HostedPage(secret, s.ID)
	if err != nil {
		return nil, err
	}
	c.Session = &session.Claim{ID: s.ID, Attempt: s.Attempts, Version: s.Version, Secret: page,
		Page: h.gw.site.PageOf(s.ID, page), Hosted: true, Until: s.ExpiresAt}
	if err = h.card(ctx, s, secret, c, in.Name); err != nil {
		return nil, err
	}
	sent, _ := fields.SentParameters(s.Parameters)
	if tree, ok := sent[c.Payment.Method].(map[string]any); ok {
		if c.Sent, err = fields.Parameters(tree); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// faults checks what the payment request adds to the session, by the rules of a session's fields.
func (h HostedFields) faults(s *store.Session, c *charge.Draft, in *HostedPayment) (faults []refusal.Fault) {
	p := &c.Payment
	c.Browser, p.Language = in.Browser, cmp.Or(in.Language, p.Language)
	p.Payer.Name, p.Payer.Email = cmp.Or(in.Name, p.Payer.Name), cmp.Or(in.Email, p.Payer.Email)
	p.Payer.BirthDate = cmp.Or(in.BirthDate, p.Payer.BirthDate)
	if in.Billing != (store.Address{}) {
		p.Payer.Address = in.Billing
	}
	r := &SessionRequest{
		Malformed: in.Malformed, Operation: string(s.Kind), Billing: p.Payer.Address,
		anyName:  c.Profile.Mapping(store.Checkout).AnyName,
		Customer: Customer{Name: p.Payer.Name, Email: p.Payer.Email, BirthDate: p.Payer.BirthDate},
		Language: p.Language,
	}
	faults = slices.Clone(in.Malformed)
	if in.Kind != s.Kind {
		faults = append(faults, refusal.Fault{Path: "operation", Text: fields.TextChoice})
	}
	if in.Name == "" && !r.malformed("name") {
		faults = append(faults, refusal.Fault{Path: "name", Text: fields.TextBlank})
	}
	for _, field := range hostedFields {
		if r.malformed(field.name) {
			continue
		}
		faults = append(faults, h.gw.form.faultsAt(cmp.Or(field.path, field.name), field.name, r)...)
	}
	p.Payer.Address.State = fields.StateOf(p.Payer.Address)
	return append(faults, expected(s, c.Profile, r, in.ExpectedAmount, in.ExpectedCurrency)...)
}

// hostedFields are the payer's fields of the payment request, with their paths in a session where those differ.
var hostedFields = []struct{ name, path string }{
	{"name", "customer.name"}, {"email", "customer.email"}, {"birth_date", "customer.birth_date"},
	{name: "billing_address.country"}, {name: "billing_address.state"}, {name: "billing_address.city"},
	{name: "billing_address.address"}, {name: "billing_address.address2"}, {name: "billing_address.house_number"},
	{name: "billing_address.zip"}, {name: "billing_address.phone"}, {name: "billing_address.phone_country_code"}, {name: "billing_address.district"},
	{"selected_language", "billing_address.language"},
}

// ReturnParams returns the parameters that go with the payer to the merchant (SPEC1, "Events"), for a merchant whose
// own page sends them there. Within a request they are made by the merchant as it was when the payment was made,
// otherwise by the merchant as it is now.
func (h HostedFields) ReturnParams(ctx context.Context, r *Result) ([]store.RedirectParam, error) {
	p, err := made(h.gw).merchants.For(ctx, r.Payment.MerchantID, r.Payment.Protocol)
	if err != nil {
		return nil, err
	}
	v := view{profile: p, p: &r.Payment, t: &records.Transaction{Transaction: r.Transaction}}
	var list []store.RedirectParam
	for _, pair := range v.returnParams() {
		list = append(list, store.RedirectParam{Name: pair[0], Value: pair[1]})
	}
	return list, h.gw.door.MarkLink(ctx, p, v.p, v.hash)
}
