package gateway

import (
	"fmt"
	"io"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// random reads bytes nobody can guess, for what is named in the error when there are none.
func (gw *Gateway) random(size int, purpose string) ([]byte, error) {
	bytes := make([]byte, size)
	if _, err := io.ReadFull(gw.cfg.Random, bytes); err != nil {
		return nil, fmt.Errorf("no random bytes for %s: %w", purpose, err)
	}
	return bytes, nil
}

// drawLinks draws the secrets of an attempt's links. The payer sees the return link and the acquirer the
// notification link: each has a secret of its own, and neither follows from the other (decision ce).
func (gw *Gateway) drawLinks(c *charge) error {
	drawn, err := gw.random(2*links.Size, "the links of a payment")
	if err != nil {
		return err
	}
	c.Secret, c.Notice = drawn[:links.Size:links.Size], drawn[links.Size:]
	return nil
}

// hashLinks keeps of those secrets what finds them good again.
func (c *charge) hashLinks() {
	c.Transaction.ReturnHash, c.Transaction.NotifyHash = links.Hash(c.Secret), links.Hash(c.Notice)
}

// What a payer's later step needs, and nobody else may read, is sealed under the secret of a link: under that of the
// return link the page to go back to, and under that of the page the security code, where it may be of use then. Who
// comes back by the return link reaches the page, and so the code; who answers on the page has it at once.
func (gw *Gateway) sealForReturn(c *charge) (err error) {
	t := &c.Transaction
	coded := c.card != nil && c.card.Code.Digits() != ""
	t.Coded = coded || c.coded
	if coded && gw.router.holdsCode(c) {
		code := []byte(c.card.Code.Digits())
		defer vault.Wipe(code)
		if t.Held, err = vault.SealHeld(c.link(), vault.SecurityCode, t.ID, gw.cfg.Random, code); err != nil {
			return err
		}
	}
	if back := c.back(); back != "" {
		t.Back, err = vault.SealHeld(c.Secret, vault.ReturnData, t.ID, gw.cfg.Random, []byte(back))
	}
	return err
}

// pageLink is the secret of an attempt's page, for whoever comes back by the return link.
func pageLink(t *store.Transaction, returns []byte) []byte {
	if t.Back != nil {
		return links.OfPage(links.Back(t, returns))
	}
	return links.PageSecret(returns)
}
