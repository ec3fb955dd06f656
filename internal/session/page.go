package session

import (
	"cmp"
	"time"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// statusPageLife is how long the page shows the outcome of the payment.
const statusPageLife = 24 * time.Hour

// StatusPage returns the record of a page for a payment without a session.
func StatusPage(id string, p *records.Payment, channel string, secret []byte, now time.Time) store.Session {
	return store.Session{
		ID: id, MerchantID: p.MerchantID, TokenHash: links.Hash(secret), Test: p.Test, StatusPage: true,
		State: store.SessionOpen, Version: 1, Kind: p.Kind, Hold: p.Hold, Order: p.Order, Methods: []string{p.Method},
		ChannelID:  channel,
		SuccessURL: p.ReturnURL, CancelURL: p.ReturnURL, ExpiryURL: p.ReturnURL, ErrorURL: p.ReturnURL,
		URLTarget: cmp.Or(p.ReturnTarget, "_top"), Language: p.Language, Attempts: 1, Running: true,
		CreatedAt: now, ExpiresAt: now.Add(statusPageLife),
	}
}

// InsertStatus stores the page of a payment.
func InsertStatus(tx store.Tx, s store.Session, p *records.Payment) error {
	s.PaymentID, p.SessionID = p.ID, s.ID
	return records.Sessions.Insert(tx, s, s.ID)
}
