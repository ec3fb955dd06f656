package gateway

import (
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// pageLink is the secret of an attempt's page, for whoever comes back by the return link.
func pageLink(t *store.Transaction, returns []byte) []byte {
	if t.Back != nil {
		return links.OfPage(links.Back(t, returns))
	}
	return links.PageSecret(returns)
}

// holdsCode reports whether the security code of an attempt may be of use once its payer comes back: its connector
// needs it then, or another MID may have to be tried.
func (ro *router) holdsCode(c *charge) bool {
	if _, ok := c.connector.(methods.Completer); !ok {
		return false
	}
	return methods.CapabilitiesOf(c.connector).CodeAtReturn || c.profile.Mapping(c.Payment.Protocol).Cascade && len(c.candidates) > 0
}
