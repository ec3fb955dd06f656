package gateway

import (
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/vault"
)

// drawLinks draws the secrets of an attempt's links. The payer sees the return link and the acquirer the
// notification link: each has a secret of its own, and neither follows from the other (decision ce).
func (cs *charges) drawLinks(c *charge) error {
	drawn, err := cs.ids.random(2*links.Size, "the links of a payment")
	if err != nil {
		return err
	}
	c.Secret, c.Notice = drawn[:links.Size:links.Size], drawn[links.Size:]
	return nil
}

// What a payer's later step needs, and nobody else may read, is sealed under the secret of a link: under that of the
// return link the page to go back to, and under that of the page the security code, where it may be of use then. Who
// comes back by the return link reaches the page, and so the code; who answers on the page has it at once.
func (cs *charges) sealForReturn(c *charge) (err error) {
	t := &c.Transaction
	coded := c.card != nil && c.card.Code.Digits() != ""
	t.Coded = coded || c.coded
	if coded && cs.router.holdsCode(c) {
		code := []byte(c.card.Code.Digits())
		defer vault.Wipe(code)
		if t.Held, err = vault.SealHeld(c.link(), vault.SecurityCode, t.ID, cs.ids.chance, code); err != nil {
			return err
		}
	}
	if back := c.back(); back != "" {
		t.Back, err = vault.SealHeld(c.Secret, vault.ReturnData, t.ID, cs.ids.chance, []byte(back))
	}
	return err
}
