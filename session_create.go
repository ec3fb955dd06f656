package gateway

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/ids"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Session is a created Checkout session: its id for the host, its link for the payer. The link is the only copy of its
// secret.
type Session struct {
	ID          string
	RedirectURL string
	ExpiresAt   time.Time
}

// CreateSession is Merchant.CreateSession for the client.
func (m *Client) CreateSession(ctx context.Context, r SessionRequest) (*Session, error) {
	r.Hosted = false
	s, secret, err := m.openSession(ctx, &r)
	if err != nil {
		return nil, err
	}
	return m.page(s, secret), nil
}

func (m *Client) page(s *store.Session, secret []byte) *Session {
	return &Session{s.ID, m.gw.site.PageOf(s.ID, secret), s.ExpiresAt}
}

// openSession checks and stores a session, with a payment page or with Hosted Payment Fields.
func (m *Client) openSession(ctx context.Context, r *SessionRequest) (s *store.Session, secret []byte, err error) {
	if err := m.gw.gate.Enter(); err != nil {
		return nil, nil, err
	}
	defer m.gw.gate.Leave()
	r.merchantKey = m.key
	if faults := m.sessionFaults(r); len(faults) > 0 {
		return nil, nil, refusal.ErrInvalid.Fields(faults...)
	}
	err = m.enterToMark(ctx, store.Checkout, r.Proof, func() error {
		s, secret, err = m.storeSession(ctx, r)
		return err
	})
	return s, secret, err
}

// storeSession checks what depends on the merchant and stores the session.
func (m *Client) storeSession(ctx context.Context, r *SessionRequest) (*store.Session, []byte, error) {
	gw, profile := m.gw, m.profile
	s := r.session()
	s.Test = m.test
	if err := gw.mayOpen(ctx, profile, r, s); err != nil {
		return nil, nil, err
	}
	secret, err := gw.begin(s, r, m.once)
	if err != nil {
		return nil, nil, err
	}
	if s.SealedParameters, err = gw.seals.Parameters(ctx, s.MerchantID, s.ID, s.Parameters); err != nil {
		return nil, nil, err
	}
	signed := door.Signs(profile, (*door.Proof)(r.Proof),
		&store.Payment{Protocol: store.Checkout, Kind: s.Kind, Test: s.Test}, false)
	s.Signature = signed.Ref()
	stored := func(r store.Reader) error { _, err := records.Sessions.Get(r, s.ID); return err }
	err = records.Create(ctx, gw.cfg.Store, stored, func(tx store.Tx) error {
		if err := m.once.Take(tx, s.ID, ""); err != nil {
			return err
		}
		mark, err := signed.Mark(tx)
		if err != nil {
			return err
		}
		if err := door.TakeWindow(tx, records.Owner{MerchantID: s.MerchantID, Test: s.Test}, s.Order.Number, s.CreatedAt,
			gw.Now()); err != nil {
			return err
		}
		if err := signed.Use(tx, mark, s.CreatedAt, gw.Now()); err != nil {
			return err
		}
		return records.Sessions.Insert(tx, *s, s.ID)
	})
	if err != nil {
		return nil, nil, err
	}
	return s, secret, nil
}

// mayOpen checks what depends on the merchant: its options, the records that the request names, and that a MID can take
// the request with its parameters.
func (gw *Gateway) mayOpen(ctx context.Context, profile *merchant.Profile, r *SessionRequest,
	s *store.Session) error {
	s.MerchantID = profile.Record().ID
	w := records.Owner{MerchantID: s.MerchantID, Test: s.Test}
	if err := profile.Speaks(store.Checkout); err != nil {
		return err
	}
	if profile.Off(store.Checkout) {
		return refusal.ErrNoMID
	}
	if faults := profile.Insecure(sessionURLs(r)); len(faults) > 0 {
		return refusal.ErrInvalid.Fields(faults...)
	}
	for _, token := range r.Extra.CardTokens {
		if _, err := gw.cards.Find(ctx, w, token); err != nil {
			return err
		}
	}
	if err := gw.agreements.MayUse(ctx, w, r.Extra.ScheduleID); err != nil {
		return err
	}
	if faults := gw.router.UnknownMethods(r.Methods); len(faults) > 0 {
		return refusal.ErrInvalid.Fields(faults...)
	}
	sent, codes := fields.SentParameters(s.Parameters)
	candidate, unfinished, err := gw.router.Routable(profile, s, sent)
	if err != nil {
		return err
	}
	codes = append(codes, unfinished...)
	if faults := gw.router.ParameterFaults(s, sent, codes, candidate.Settings); len(faults) > 0 {
		return refusal.ErrInvalid.Fields(faults...)
	}
	return nil
}

// isForMapping reports whether the merchant's mapping may allow what is a fault otherwise: names in every script,
// amounts with fewer decimals. The mapping is read only then.
func isForMapping(f refusal.Fault) bool {
	return slices.Contains([]string{"customer.name", "payee.name", "order.amount", "payment_schedule_amount"}, f.Path)
}

// under applies the rules that a mapping loosens.
func (r *SessionRequest) under(m *store.Mapping) { r.anyName, r.short = m.AnyName, m.ShortAmounts }

// sessionFaults returns the faults of a request. If the table finds any, the sets of the request's methods are checked
// too, so that one answer has all faults that can be found.
func (m *Client) sessionFaults(r *SessionRequest) []refusal.Fault {
	gw := m.gw
	faults := gw.form.check(r)
	if slices.ContainsFunc(faults, isForMapping) && m.profile != nil {
		if m.profile.Speaks(store.Checkout) != nil {
			return nil // the caller returns that error
		}
		r.under(m.profile.Mapping(store.Checkout))
		faults = gw.form.check(r)
	}
	if len(faults) == 0 {
		return nil
	}
	told := func(path string) bool {
		return slices.ContainsFunc(faults, func(f refusal.Fault) bool { return strings.HasPrefix(f.Path, path) })
	}
	if !told("methods") {
		faults = append(faults, gw.router.UnknownMethods(r.Methods)...)
	}
	s := r.session()
	sent, codes := fields.SentParameters(s.Parameters)
	for _, fault := range gw.router.ParameterFaults(s, sent, codes, nil) {
		if !told(fault.Path) {
			faults = append(faults, fault)
		}
	}
	slices.SortStableFunc(faults, func(a, b refusal.Fault) int { return cmp.Compare(place(a.Path), place(b.Path)) })
	return faults
}

// session returns the record of the request, before it has an id, a link and a merchant.
func (r *SessionRequest) session() *store.Session {
	s := &store.Session{
		State: store.SessionOpen, Version: 1, Kind: store.Kind(r.Operation), Hold: r.Hold, Order: r.Order,
		Methods: r.Methods, ChannelID: r.ChannelID, SuccessURL: r.SuccessURL, CancelURL: r.CancelURL,
		ExpiryURL: r.ExpiryURL, ErrorURL: r.ErrorURL, URLTarget: r.URLTarget, ReturnURL: r.ReturnURL,
		Payer: withState(store.Payer{Name: r.Customer.Name, Email: r.Customer.Email, BirthDate: r.Customer.BirthDate,
			IP: r.Customer.IP, Address: r.Billing}),
		Language: r.Language, CustomData: r.CustomData, Parameters: r.Parameters, Extra: r.Extra, Hosted: r.Hosted,
	}
	if p := r.Extra.Payee; p != nil {
		payee := withState(store.Payer{Name: p.Name, Email: p.Email, Address: p.Address})
		s.Extra.Payee = &payee
	}
	return s
}

// begin sets the id, the link and the times of a session, and returns the secret of the link.
// With an idempotency key the secret can be computed again.
func (gw *Gateway) begin(s *store.Session, r *SessionRequest, use *once.Use) (secret []byte, err error) {
	if secret, err = ids.Random(gw.cfg.Random, links.Size, "a link"); err != nil {
		return nil, err
	}
	if s.ID, err = gw.ids.NewID(); err != nil {
		return nil, err
	}
	if use != nil {
		if secret, err = use.Link(s.ID); err != nil {
			return nil, err
		}
	}
	s.TokenHash, s.CreatedAt = links.Hash(secret), gw.Now()
	s.ExpiresAt = s.CreatedAt.Add(cmp.Or(r.Expiry, DefaultExpiry))
	if s.Hosted {
		page, err := session.HostedPage(secret, s.ID)
		if err != nil {
			return nil, err
		}
		s.PageHash = links.Hash(page)
	}
	return secret, nil
}
