package session

import (
	"maps"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// payerInput adds the payer's new input to the earlier one.
func (claim *Claim) payerInput(before map[string]string) map[string]string {
	if len(claim.PayerInput) == 0 {
		return before
	}
	all := maps.Clone(before)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, claim.PayerInput)
	return all
}

// Claim makes a charge an attempt of a session. In step one it reserves the session if it is free, so that only one
// of two equal submissions charges.
type Claim struct {
	ID         string
	Attempt    int
	Version    int                      // the session's expected version; 0 for any
	Secret     []byte                   // of the session's link
	Page       string                   // the link
	Hosted     bool                     // the caller redirects the payer to the page
	PayerInput map[string]string        // the payer's new input
	Until      time.Time                // when the link ends
	Agreed     func(store.Reader) error // refuses terms that the payer was not shown; nil if there are none to compare
}

// Ends returns when the link of a session ends; the zero time if there is none.
func (claim *Claim) Ends() time.Time {
	if claim == nil {
		return time.Time{}
	}
	return claim.Until
}

// Take makes the payment an attempt of the session.
func (claim *Claim) Take(tx store.Tx, p *records.Payment) error {
	s, err := records.Sessions.Get(tx, claim.ID)
	if err != nil {
		return err
	}
	if s.State != store.SessionOpen || s.Running || s.Attempts != claim.Attempt || !p.CreatedAt.Before(s.ExpiresAt) {
		return records.ErrTaken
	}
	if claim.Version != 0 && s.Version != claim.Version {
		return records.ErrTaken
	}
	if claim.Agreed != nil {
		if err := claim.Agreed(tx); err != nil {
			return err
		}
	}
	s.Attempts++
	s.HeldCard = nil // it is charged once
	s.Version++
	if s.Hosted {
		s.Payer, s.Language = p.Payer, p.Language
	}
	s.PayerInput = claim.payerInput(s.PayerInput)
	s.Running, s.PaymentID = true, p.ID
	p.SessionID, p.Signature = s.ID, s.Signature
	return records.Sessions.Put(tx, s, s.ID)
}

// Report records the outcome of an attempt in the session of its payment: one success per link, and a closed link
// after the mapping's number of declines (SPEC1, Limits; checkout.md, "Link semantics"). If a cascade makes another
// attempt, the session continues with that.
func Report(tx store.Tx, p *records.Payment, t *records.Transaction, next string, m *store.Mapping) error {
	session, err := records.Sessions.Get(tx, p.SessionID)
	if err != nil {
		return err
	}
	session.Version++
	switch {
	case next != "":
		session.PaymentID = next
		return records.Sessions.Put(tx, session, session.ID)
	case t.Outcome == store.Success:
		session.State = store.SessionPaid
	default:
		session.Declines++
		if session.StatusPage || session.Declines >= MaxDeclines(m) {
			session.State = store.SessionClosed
		}
	}
	session.Running = false
	return records.Sessions.Put(tx, session, session.ID)
}

// MaxDeclines returns after how many declines a link closes.
func MaxDeclines(m *store.Mapping) int {
	if m.MaxDeclines > 0 {
		return m.MaxDeclines
	}
	return store.DefaultMaxDeclines
}
