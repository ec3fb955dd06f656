package gateway

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// secretSize is the length of the secrets in links: 256 bits (decision q).
const secretSize = 32

// random reads bytes nobody can guess, for what is named in the error when there are none.
func (gw *Gateway) random(size int, purpose string) ([]byte, error) {
	bytes := make([]byte, size)
	if _, err := io.ReadFull(gw.cfg.Random, bytes); err != nil {
		return nil, fmt.Errorf("no random bytes for %s: %w", purpose, err)
	}
	return bytes, nil
}

// A link token is the id of the record it leads to and the secret that opens it, in one opaque,
// URL-safe word. The record keeps a hash of the secret only.
func returnToken(id string, secret []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(append([]byte{}, secret...), id...))
}

// splitToken takes a link token apart. ok is false for anything that cannot be one.
func splitToken(token string) (id string, secret []byte, ok bool) {
	if len(token) > 256 {
		return "", nil, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) <= secretSize {
		return "", nil, false
	}
	return string(raw[secretSize:]), raw[:secretSize], true
}

// drawLinks draws the secrets of an attempt's links. The payer sees the return link and the acquirer the
// notification link: each has a secret of its own, and neither follows from the other (decision ce).
func (gw *Gateway) drawLinks(c *charge) error {
	drawn, err := gw.random(2*secretSize, "the links of a payment")
	if err != nil {
		return err
	}
	c.secret, c.notice = drawn[:secretSize:secretSize], drawn[secretSize:]
	return nil
}

// hashLinks keeps of those secrets what finds them good again.
func (c *charge) hashLinks() {
	c.intent.ReturnHash, c.intent.NotifyHash = hashSecret(c.secret), hashSecret(c.notice)
}

// giveLinks tells an operation its links.
func (gw *Gateway) giveLinks(op *methods.Operation, returns, notice []byte) {
	op.ReturnURL = gw.cfg.PublicURL + "/return/" + returnToken(op.TransactionID, returns)
	op.NotificationURL = gw.cfg.PublicURL + "/notify/" + returnToken(op.TransactionID, notice)
}

// returnHash and notifyHash are what a link of either kind has to fit. A transaction from before they were two
// has one for both.
func returnHash(t *store.Transaction) string { return t.ReturnHash }
func notifyHash(t *store.Transaction) string { return cmp.Or(t.NotifyHash, t.ReturnHash) }

// linkSecret is the secret of a link token that was already found good.
func linkSecret(token string) []byte {
	_, secret, _ := splitToken(token)
	return secret
}

// linkOf is the secret of the session whose page a URL is; nil for any other URL.
func linkOf(page string) []byte {
	_, token, ok := strings.Cut(page, "/auth/")
	if !ok {
		return nil
	}
	return linkSecret(token)
}

// What a payer's later step needs, and nobody else may read, is sealed under the secret of a link: under that of the
// return link the page to go back to, and under that of the page the security code, where it may be of use then. Who
// comes back by the return link reaches the page, and so the code; who answers on the page has it at once.
func (gw *Gateway) sealForReturn(c *charge) (err error) {
	t := &c.intent
	coded := c.card != nil && c.card.Code.Digits() != ""
	t.Coded = coded || c.coded
	if coded && gw.holdsCode(c) {
		code := []byte(c.card.Code.Digits())
		defer vault.Wipe(code)
		if t.Held, err = vault.SealHeld(c.link(), vault.SecurityCode, t.ID, gw.cfg.Random, code); err != nil {
			return err
		}
	}
	if back := c.back(); back != "" {
		t.Back, err = vault.SealHeld(c.secret, vault.ReturnData, t.ID, gw.cfg.Random, []byte(back))
	}
	return err
}

// pageLink is the secret of an attempt's page, for whoever comes back by the return link.
func pageLink(t *store.Transaction, returns []byte) []byte {
	if t.Back != nil {
		return linkOf(heldBack(t, returns))
	}
	return pageSecret(returns)
}

// heldCode is the security code of an open attempt, by the secret of its page; empty when it is gone or there was none.
func heldCode(t *store.Transaction, link []byte) store.SecurityCode {
	plain, err := vault.OpenHeld(link, vault.SecurityCode, t.ID, t.Held)
	if err != nil {
		return store.SecurityCode{}
	}
	defer vault.Wipe(plain)
	code, _ := store.ParseSecurityCode(string(plain)) // what was sealed was one
	return code
}

// heldBack is the page to go back to; empty when nobody said.
func heldBack(t *store.Transaction, secret []byte) string {
	plain, err := vault.OpenHeld(secret, vault.ReturnData, t.ID, t.Back)
	if err != nil {
		return ""
	}
	return string(plain)
}
