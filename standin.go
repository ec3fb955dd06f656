package gateway

import (
	"cmp"
	"time"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// standIn is the page of a payment that has no session: the payer of an S2S charge is sent to it when the
// acquirer asks him something or shows him something, and comes back to it from the issuer or a bank. It
// is made only once somebody is sent away, since most charges need none.
type standIn struct {
	session store.Session
	url     string
}

// standInLife is how long the page tells how the payment ended.
const standInLife = 24 * time.Hour

func (gw *Gateway) newStandIn(p *store.Payment, channel string, returns []byte) (*standIn, error) {
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
		CreatedAt: now, ExpiresAt: now.Add(standInLife),
	}
	return &standIn{s, gw.site.Page(links.Token(s.ID, secret))}, nil
}

// insert stores the page of a payment, once.
func (page *standIn) insert(tx store.Tx, p *store.Payment) error {
	s := page.session
	s.PaymentID, p.SessionID = p.ID, s.ID
	return records.Sessions.Insert(tx, s, s.ID)
}
