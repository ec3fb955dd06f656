package gateway

import (
	"github.com/tollgatepay/gateway/store"
)

// Extras are the connector's own pairs that the client's Protocol Mapping adds to a status answer; t is the charge
// of the payment. They come with the extended data.
func (c *Client) Extras(p *store.Payment, t *store.Transaction) []store.Extra {
	if c.profile == nil || p.Protocol == store.S2SCard || !c.Mapping(p.Protocol).Add.Extended {
		return nil
	}
	return t.Extras
}
