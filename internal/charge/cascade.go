package charge

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/store"
)

// AnotherMID makes the attempt that follows a soft decline of a payer's return. It uses the card and code that were
// sealed for the return.
func (cs *Flow) AnotherMID(ctx context.Context, d engine.Declined) (*engine.Operation, error) {
	profile, p, t, op, trip := d.Merchant.(*merchant.Profile), d.Payment, d.Transaction, d.Given, d.Return
	later := p.RecurringInitID != "" && !records.BeginsChain(p) // it stays where its chain began
	if !profile.Mapping(p.Protocol).Cascade || trip.Link == nil || t.ID != p.ChargeID() || later || !t.ErasedAt.IsZero() {
		return nil, nil
	}
	s, err := cs.pageOf(ctx, p)
	if err != nil {
		return nil, err
	}
	c := &Draft{
		Operation: engine.Operation{Payment: *p, MID: profile.MID(p.MIDID)},
		Profile:   profile, PayCard: op.Card, ToCard: op.PayeeCard, ExternalMPI: op.MPI, walletForConnector: op.Wallet,
		Browser: t.Browser, Channel: s.ChannelID,
		Session: &session.Claim{ID: p.SessionID, Secret: trip.Link, Page: trip.Page, Until: s.ExpiresAt}, coded: t.Coded,
	}
	if c.Sent, err = cs.Seals.OpenParameters(ctx, t.MerchantID, t.ID+"/sent", t.SealedSent); err != nil {
		return nil, err
	}
	c.Payment.Next, c.Payment.Reason, c.Payment.Charge = "", "", ""
	if p.CardToken != "" && !p.ReqToken { // a deleted token has no registered references
		saved, _ := cs.Cards.Find(ctx, records.OwnerOf(p), p.CardToken)
		c.Credentials = saved.Credentials
	}
	candidates, why := cs.Router.Route(p.Protocol, c.routing(), profile)
	if why != route.None {
		return nil, nil
	}
	if c.walletForConnector != nil {
		if c.walletForConnector.Token != nil { // it is for one provider
			return nil, nil
		}
		candidates = cs.Router.takeDecrypted(candidates)
	}
	if trip.CodeGone(t) {
		candidates = cs.Router.withoutCode(candidates)
	}
	c.candidates = slices.DeleteFunc(candidates, func(one route.Candidate) bool {
		return one.ID == p.MIDID || slices.Contains(p.Tried, one.ID)
	})
	if len(c.candidates) == 0 || cs.Router.fitting(c) != nil {
		return nil, nil
	}
	return cs.afterDecline(ctx, c, t)
}

// pageOf returns the session of a payment, or the page that replaces one.
func (cs *Flow) pageOf(ctx context.Context, p *records.Payment) (s store.Session, err error) {
	err = cs.Store.View(ctx, func(r store.Reader) (err error) {
		s, err = records.Sessions.Get(r, p.SessionID)
		return err
	})
	return s, err
}
