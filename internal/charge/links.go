package charge

import (
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/ids"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// PageLink returns the secret of an attempt's page, for payers who come back by the return link.
func PageLink(t *records.Transaction, returns []byte) []byte {
	if t.SealedReturnPage != nil {
		return links.OfPage(links.Back(t, returns))
	}
	return links.PageSecret(returns)
}

// holdsCode reports whether the security code of an attempt may be needed after its payer comes back: by its
// connector, or by another MID.
func (ro *Router) holdsCode(c *Draft) bool {
	if _, ok := c.connector.(methods.Completer); !ok {
		return false
	}
	return methods.CapabilitiesOf(c.connector).CodeAtReturn || c.Profile.Mapping(c.Payment.Protocol).Cascade &&
		len(c.candidates) > 0
}

// drawLinks makes the secrets of an attempt's links. The payer sees the return link and the acquirer the
// notification link: each has its own secret, and neither can be computed from the other (decision ce).
func (cs *Flow) drawLinks(c *Draft) error {
	drawn, err := ids.Random(cs.Random, 2*links.Size, "the links of a payment")
	if err != nil {
		return err
	}
	c.Secret, c.Notice = drawn[:links.Size:links.Size], drawn[links.Size:]
	return nil
}

// sealForReturn seals what only a payer's later step may read under the secret of a link: under that of the return
// link the page to go back to, and under that of the page the security code, if it may be needed then. A payer who
// comes back by the return link reaches the page, and so the code; one who answers on the page has it at once.
func (cs *Flow) sealForReturn(c *Draft) (err error) {
	t := &c.Transaction
	coded := c.PayCard != nil && c.PayCard.Code.Digits() != ""
	t.Coded = coded || c.coded
	if coded && cs.Router.holdsCode(c) {
		code := []byte(c.PayCard.Code.Digits())
		defer vault.Wipe(code)
		if t.SealedCode, err = vault.SealHeld(c.linkSecret(), vault.SecurityCode, t.ID, cs.Random, code); err != nil {
			return err
		}
	}
	if back := c.pageURL(); back != "" {
		t.SealedReturnPage, err = vault.SealHeld(c.Secret, vault.ReturnData, t.ID, cs.Random, []byte(back))
	}
	return err
}

// newStatusPage makes the page of a payment without a session. The payer of an S2S charge is redirected to it when
// the acquirer prompts or displays something, and returns to it from the issuer or a bank. It is made only for a
// redirect, because most charges need none.
func (cs *Flow) newStatusPage(p *records.Payment, channel string, returns []byte) (*engine.StatusPage, error) {
	id, err := cs.NewID()
	if err != nil {
		return nil, err
	}
	s := session.StatusPage(id, p, channel, links.PageSecret(returns), cs.Now())
	page := cs.Site.PageOf(s.ID, links.PageSecret(returns))
	return &engine.StatusPage{URL: page,
		Insert: func(tx store.Tx, p *records.Payment) error { return session.InsertStatus(tx, s, p) }}, nil
}
