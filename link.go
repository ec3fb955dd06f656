package gateway

import (
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/store"
)

// hashLinks keeps of those secrets what finds them good again.
func (c *charge) hashLinks() {
	c.Transaction.ReturnHash, c.Transaction.NotifyHash = links.Hash(c.Secret), links.Hash(c.Notice)
}

// pageLink is the secret of an attempt's page, for whoever comes back by the return link.
func pageLink(t *store.Transaction, returns []byte) []byte {
	if t.Back != nil {
		return links.OfPage(links.Back(t, returns))
	}
	return links.PageSecret(returns)
}
