package gateway

import (
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/store"
)

// newStatusPage makes the page of a payment that has no session: the payer of an S2S charge is sent to it when the
// acquirer asks them something or shows them something, and comes back to it from the issuer or a bank. It
// is made only once the payer is sent away, since most charges need none.
func (cs *charges) newStatusPage(p *store.Payment, channel string, returns []byte) (*engine.StatusPage, error) {
	id, err := cs.ids.newID()
	if err != nil {
		return nil, err
	}
	s := session.StatusPage(id, p, channel, links.PageSecret(returns), cs.now())
	page := cs.site.Page(links.Token(s.ID, links.PageSecret(returns)))
	return &engine.StatusPage{URL: page, Insert: func(tx store.Tx, p *store.Payment) error { return session.InsertStatus(tx, s, p) }}, nil
}
