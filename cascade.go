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
	if !c.profile.Mapping(c.Payment.Protocol).Cascade || len(c.candidates) == 0 || len(c.Payment.Tried) >= records.MaxCascade-1 {
		return nil, nil
	}
	then := *c
	then.window, then.token, then.chain, then.stale = false, nil, nil, ""
	if c.token != nil {
		then.stale = c.token.ID
	}
	if then.Payment.ReqToken {
		then.Payment.CardToken = ""
	}
	if then.Payment.Cascade == "" {
		then.Payment.Cascade = c.Payment.ID
	}
	then.Payment.Tried = append(slices.Clone(c.Payment.Tried), c.MID.ID)
	for len(then.candidates) > 0 {
		if err := gw.draft(ctx, &then); err != nil {
			return nil, err
		}
		err := gw.cfg.Store.View(ctx, func(r store.Reader) error {
			b := boundsOf(then.profile, &then.Payment, then.MID)
			b.before, b.beforeMID = declined, c.MID
			return checkLimits(r, b, &then.Transaction)
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
func (gw *Gateway) anotherMID(ctx context.Context, profile *profile, p *store.Payment, t *store.Transaction, op *methods.Operation, trip PayerReturn) (*charge, error) {
	later := p.RecurringInitID != "" && !records.BeginsChain(p) // it stays where its chain began
	if !profile.Mapping(p.Protocol).Cascade || trip.Link == nil || t.ID != p.ChargeID() || later || !t.ErasedAt.IsZero() {
		return nil, nil
	}
	s, err := gw.pageOf(ctx, p)
	if err != nil {
		return nil, err
	}
	c := &charge{
		profile: profile, Payment: *p, card: op.Card, payeeCard: op.PayeeCard, mpi: op.MPI, hand: op.Wallet,
		browser: t.Browser, MID: profile.MID(p.MIDID), channel: s.ChannelID,
		session: &sessionClaim{id: p.SessionID, secret: trip.Link, page: trip.Page, until: s.ExpiresAt}, coded: t.Coded,
	}
	if c.sent, err = gw.seals.OpenParameters(ctx, t.MerchantID, t.ID+"/sent", t.SealedSent); err != nil {
		return nil, err
	}
	c.Payment.Next, c.Payment.Reason, c.Payment.Charge = "", "", ""
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
func (s *Settlement) cascade(row state.Row) error {
	then := s.o.then
	if then == nil || s.Transaction.Outcome != store.Fail || !s.Transaction.Soft || s.Payment.Status != store.Declined {
		return nil
	}
	then.Payment.SessionID = s.Payment.SessionID
	if err := s.gw.insert(s.Tx, then); isLimit(err) {
		return nil // that MID has taken enough: this decline stands
	} else if err != nil {
		return err
	}
	s.Payment.Next, s.o.cascaded = then.Payment.ID, true
	return s.forget(row)
}

// forget deletes the token of an attempt that another one follows: each issues its own, and no card is kept
// under one that nobody knows. The merchant may know it where he heard of the attempt, or was told where to
// send the payer: such a token stays.
func (s *Settlement) forget(row state.Row) error {
	stale := s.o.then.stale
	if stale == "" || s.Payment.Callbacks > 0 || s.tells(row) {
		return nil
	}
	s.Payment.CardToken = ""
	return records.CardTokens.Delete(s.Tx, stale)
}

// tells reports whether the merchant hears of a row in a cascade (callbacks.md, "Cascading"): not of an
// attempt that another one follows, but for the first of an APM payment; and there not that a later one
// sends the payer away.
func (s *Settlement) tells(row state.Row) bool {
	if s.Payment.Protocol == store.S2SAPM {
		away := row.Type == "3ds" || row.Type == "redirect"
		return s.Payment.Cascade == "" || !s.o.cascaded && !away
	}
	return !s.o.cascaded
}
