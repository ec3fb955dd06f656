package gateway

import (
	"cmp"
	"time"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// statusPageLife is how long the page tells how the payment ended.
const statusPageLife = 24 * time.Hour

// newStatusPage makes the page of a payment that has no session: the payer of an S2S charge is sent to it when the
// acquirer asks them something or shows them something, and comes back to it from the issuer or a bank. It
// is made only once the payer is sent away, since most charges need none.
func (gw *Gateway) newStatusPage(p *store.Payment, channel string, returns []byte) (*engine.StatusPage, error) {
	id, err := gw.newID()
	if err != nil {
		return nil, err
	}
	s := statusSession(id, p, channel, links.PageSecret(returns), gw.now())
	page := gw.site.Page(links.Token(s.ID, links.PageSecret(returns)))
	return &engine.StatusPage{URL: page, Insert: func(tx store.Tx, p *store.Payment) error { return insertStatus(tx, s, p) }}, nil
}

// statusSession is the record of the page of a payment that has no session.
func statusSession(id string, p *store.Payment, channel string, secret []byte, now time.Time) store.Session {
	return store.Session{
		ID: id, MerchantID: p.MerchantID, TokenHash: links.Hash(secret), Test: p.Test, Bare: true,
		State: store.SessionOpen, Version: 1, Kind: p.Kind, Hold: p.Hold, Order: p.Order, Methods: []string{p.Method}, ChannelID: channel,
		SuccessURL: p.ReturnURL, CancelURL: p.ReturnURL, ExpiryURL: p.ReturnURL, ErrorURL: p.ReturnURL,
		URLTarget: cmp.Or(p.ReturnTarget, "_top"), Language: p.Language, Attempts: 1, Running: true,
		CreatedAt: now, ExpiresAt: now.Add(statusPageLife),
	}
}

// insertStatus stores the page of a payment.
func insertStatus(tx store.Tx, s store.Session, p *store.Payment) error {
	s.PaymentID, p.SessionID = p.ID, s.ID
	return records.Sessions.Insert(tx, s, s.ID)
}
