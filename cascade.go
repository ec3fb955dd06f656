package gateway

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// A cascade tries the next MID when one declines softly, or its acquirer cannot be reached (callbacks.md,
// "Cascading"). Every attempt is a payment of its own under the order. The next one begins in the very
// transaction that declines the one before, so that no crash can lose it; the merchant hears of the last
// one only.

// afterDecline makes the attempt that follows a declined one, which gives its limits back first; nil when there is none.
func (gw *Gateway) afterDecline(ctx context.Context, c *charge, declined *store.Transaction) (*charge, error) {
	if !c.profile.mapping(c.payment.Protocol).Cascade || len(c.candidates) == 0 || len(c.payment.Tried) >= records.MaxCascade-1 {
		return nil, nil
	}
	then := *c
	then.window, then.token, then.chain, then.stale = false, nil, nil, ""
	if c.token != nil {
		then.stale = c.token.ID
	}
	if then.payment.ReqToken {
		then.payment.CardToken = ""
	}
	if then.payment.Cascade == "" {
		then.payment.Cascade = c.payment.ID
	}
	then.payment.Tried = append(slices.Clone(c.payment.Tried), c.mid.ID)
	for len(then.candidates) > 0 {
		if err := gw.draft(ctx, &then); err != nil {
			return nil, err
		}
		err := gw.cfg.Store.View(ctx, func(r store.Reader) error {
			b := boundsOf(then.profile, &then.payment, then.mid)
			b.before, b.beforeMID = declined, c.mid
			return checkLimits(r, b, &then.intent)
		})
		switch {
		case err == nil:
			return &then, nil
		case !isLimit(err):
			return nil, err
		}
	}
	return nil, nil
}

// A cascade is one attempt to its payer: begun in time it goes on, also when the session expires meanwhile.

// anotherMID makes the attempt that follows a payer's return: what he came back with was declined softly.
// Card and code are those held for the return.
func (gw *Gateway) anotherMID(ctx context.Context, profile *profile, p *store.Payment, t *store.Transaction, op *methods.Operation, trip trip) (*charge, error) {
	later := p.RecurringInitID != "" && !records.BeginsChain(p) // it stays where its chain began
	if !profile.mapping(p.Protocol).Cascade || trip.link == nil || t.ID != p.ChargeID() || later || !t.ErasedAt.IsZero() {
		return nil, nil
	}
	s, err := gw.pageOf(ctx, p)
	if err != nil {
		return nil, err
	}
	c := &charge{
		profile: profile, payment: *p, card: op.Card, payeeCard: op.PayeeCard, mpi: op.MPI, hand: op.Wallet,
		browser: t.Browser, mid: profile.mid(p.MIDID), channel: s.ChannelID,
		session: &sessionClaim{id: p.SessionID, secret: trip.link, page: trip.page, until: s.ExpiresAt}, coded: t.Coded,
	}
	if c.sent, err = gw.seals.OpenParameters(ctx, t.MerchantID, t.ID+"/sent", t.SealedSent); err != nil {
		return nil, err
	}
	c.payment.Next, c.payment.Reason, c.payment.Charge = "", "", ""
	if p.CardToken != "" && !p.ReqToken { // a token that is gone meanwhile has nothing registered
		saved, _ := gw.tokenRecord(ctx, records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.CardToken)
		c.credentials = saved.Credentials
	}
	candidates, why := gw.route(p.Protocol, c.routing(), profile)
	if why != route.None {
		return nil, nil
	}
	if c.hand != nil {
		if c.hand.Token != nil { // it is for one provider
			return nil, nil
		}
		candidates = gw.takeDecrypted(candidates)
	}
	if trip.codeGone(t) {
		candidates = gw.withoutCode(candidates)
	}
	c.candidates = slices.DeleteFunc(candidates, func(one route.Candidate) bool {
		return one.ID == p.MIDID || slices.Contains(p.Tried, one.ID)
	})
	if len(c.candidates) == 0 || gw.fitting(c) != nil {
		return nil, nil
	}
	return gw.afterDecline(ctx, c, t)
}

// pageOf is the session of a payment, or the page that stands in for one.
func (gw *Gateway) pageOf(ctx context.Context, p *store.Payment) (s store.Session, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		s, err = records.Sessions.Get(r, p.SessionID)
		return err
	})
	return s, err
}

// cascade begins the next attempt, in the transaction that declines this one.
func (s *step) cascade(row state.Row) error {
	then := s.o.then
	if then == nil || s.t.Outcome != store.Fail || !s.t.Soft || s.p.Status != store.Declined {
		return nil
	}
	then.payment.SessionID = s.p.SessionID
	if err := s.gw.insert(s.tx, then); isLimit(err) {
		return nil // that MID has taken enough: this decline stands
	} else if err != nil {
		return err
	}
	s.p.Next, s.o.cascaded = then.payment.ID, true
	return s.forget(row)
}

// forget deletes the token of an attempt that another one follows: each issues its own, and no card is kept
// under one that nobody knows. The merchant may know it where he heard of the attempt, or was told where to
// send the payer: such a token stays.
func (s *step) forget(row state.Row) error {
	stale := s.o.then.stale
	if stale == "" || s.p.Callbacks > 0 || s.tells(row) {
		return nil
	}
	s.p.CardToken = ""
	return records.CardTokens.Delete(s.tx, stale)
}

// tells reports whether the merchant hears of a row in a cascade (callbacks.md, "Cascading"): not of an
// attempt that another one follows, but for the first of an APM payment; and there not that a later one
// sends the payer away.
func (s *step) tells(row state.Row) bool {
	if s.p.Protocol == store.S2SAPM {
		away := row.Type == "3ds" || row.Type == "redirect"
		return s.p.Cascade == "" || !s.o.cascaded && !away
	}
	return !s.o.cascaded
}
