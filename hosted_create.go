package gateway

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// HostedFields are the verbs of Hosted Payment Fields. The merchant names a session by its token, the fields in the
// payer's browser by its id.
type HostedFields struct{ gw *Gateway }

// HostedFields returns the verbs of Hosted Payment Fields.
func (gw *Gateway) HostedFields() HostedFields { return HostedFields{made(gw)} }

// HostedSession is a created session of Hosted Payment Fields. Token is the only copy of its secret.
type HostedSession struct {
	ID        string
	Token     string
	ExpiresAt time.Time
}

// CreateHosted is Merchant.CreateHosted for the client.
func (m *Client) CreateHosted(ctx context.Context, r SessionRequest) (*HostedSession, error) {
	r.Hosted = true
	s, secret, err := m.openSession(ctx, &r)
	if err != nil {
		return nil, err
	}
	return hostedSession(s, secret), nil
}

func hostedSession(s *store.Session, secret []byte) *HostedSession {
	return &HostedSession{s.ID, links.Token(s.ID, secret), s.ExpiresAt}
}

// Check reports whether a token is valid, before anything else of its request is checked (SPEC1,
// "Authentication", 4). Error: ErrToken.
func (h HostedFields) Check(ctx context.Context, token string) error {
	return made(h.gw).cfg.Store.View(ctx, func(r store.Reader) error {
		_, _, err := session.LoadHosted(r, token, h.gw.Now())
		return err
	})
}

func (h HostedFields) load(ctx context.Context,
	token string) (s *store.Session, secret []byte, p *merchant.Profile, err error) {
	err = made(h.gw).cfg.Store.View(ctx, func(r store.Reader) error {
		s, secret, err = session.LoadHosted(r, token, h.gw.Now())
		return err
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if s.Parameters, err = h.gw.seals.OpenParameters(ctx, s.MerchantID, s.ID, s.SealedParameters); err != nil {
		return nil, nil, nil, err
	}
	p, err = h.gw.merchants.For(ctx, s.MerchantID, store.Checkout)
	return s, secret, p, err
}

// Origins returns the origins that may embed the fields of a session: the merchant's registered ones, or those of the
// session's own URLs (decision ag). Error: ErrToken for an unknown id and for a session that has expired.
func (h HostedFields) Origins(ctx context.Context, sessionID string) ([]string, error) {
	s, err := h.byID(ctx, sessionID)
	if err != nil {
		return nil, err
	}
	p, err := h.gw.merchants.ByID(ctx, s.MerchantID)
	if err != nil {
		return nil, err
	}
	if len(p.Record().Origins) > 0 {
		return asciiOrigins(p.Record().Origins), nil
	}
	return origins(s.ReturnURL, s.SuccessURL, s.CancelURL, s.ErrorURL, s.ExpiryURL), nil
}

// Code returns whether the fields of a session ask for a security code. As on the page, it is optional by mail and
// telephone (decision au). Error: ErrToken, as for Origins.
func (h HostedFields) Code(ctx context.Context, sessionID string) (CodeNeed, error) {
	s, err := h.byID(ctx, sessionID)
	if err != nil {
		return CodeNeeded, err
	}
	return codeNeed(s), nil
}

// byID finds a session by its id, which is not secret.
func (h HostedFields) byID(ctx context.Context, id string) (*store.Session, error) {
	var s store.Session
	err := made(h.gw).cfg.Store.View(ctx, func(r store.Reader) (err error) {
		s, err = records.Sessions.Get(r, id)
		return err
	})
	switch {
	case records.Absent(err) || err == nil && (!s.Hosted || !h.gw.Now().Before(s.ExpiresAt)):
		return nil, refusal.ErrToken
	case err != nil:
		return nil, err
	}
	return &s, nil
}
