package session

import (
	"maps"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// payerInput adds what is told now to what was told before.
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

// Claim makes a charge an attempt of a session: within step one it takes the session, if it is
// still free, so that of two equal submissions one charges.
type Claim struct {
	ID         string
	Attempt    int
	Version    int                      // the session has to stand at; 0 for any
	Secret     []byte                   // of the session's link
	Page       string                   // the link
	Hosted     bool                     // the caller sends the payer to the page
	PayerInput map[string]string        // what the payer told of themselves now
	Until      time.Time                // the link ends
	Agreed     func(store.Reader) error // refuses what the payer was not shown; nil where nothing was said of it
}

// Ends is when the link of a session ends; the zero time where there is none.
func (claim *Claim) Ends() time.Time {
	if claim == nil {
		return time.Time{}
	}
	return claim.Until
}

// Take makes the payment an attempt of the session.
func (claim *Claim) Take(tx store.Tx, p *store.Payment) error {
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
	s.HeldCard = nil // charged once
	s.Version++
	if s.Hosted {
		s.Payer, s.Language = p.Payer, p.Language
	}
	s.PayerInput = claim.payerInput(s.PayerInput)
	s.Running, s.PaymentID = true, p.ID
	p.SessionID, p.Signature = s.ID, s.Signature
	return records.Sessions.Put(tx, s, s.ID)
}

// Report tells the session of a payment what came of its attempt: one success per link, and a closed
// link after the mapping's number of declines (SPEC1, Limits; checkout.md, "Link semantics"). Another
// attempt of a cascade goes on with it.
func Report(tx store.Tx, p *store.Payment, t *store.Transaction, next string, m *store.Mapping) error {
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

func MaxDeclines(m *store.Mapping) int {
	if m.MaxDeclines > 0 {
		return m.MaxDeclines
	}
	return store.DefaultMaxDeclines
}
