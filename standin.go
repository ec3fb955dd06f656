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
	secret, now := links.PageSecret(returns), gw.now()
	s := store.Session{
		ID: id, MerchantID: p.MerchantID, TokenHash: links.Hash(secret), Test: p.Test, Bare: true,
		State: store.SessionOpen, Version: 1, Kind: p.Kind, Hold: p.Hold, Order: p.Order, Methods: []string{p.Method}, ChannelID: channel,
		SuccessURL: p.ReturnURL, CancelURL: p.ReturnURL, ExpiryURL: p.ReturnURL, ErrorURL: p.ReturnURL,
		URLTarget: cmp.Or(p.ReturnTarget, "_top"), Language: p.Language, Attempts: 1, Running: true,
		CreatedAt: now, ExpiresAt: now.Add(statusPageLife),
	}
	return &engine.StatusPage{URL: gw.site.Page(links.Token(s.ID, secret)), Insert: func(tx store.Tx, p *store.Payment) error {
		page := s // in each run anew
		page.PaymentID, p.SessionID = p.ID, page.ID
		return records.Sessions.Insert(tx, page, page.ID)
	}}, nil
}
