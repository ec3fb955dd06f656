package gateway

import (
	"slices"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
)

// holdsCode reports whether the security code of an attempt may be of use once its payer comes back: its connector
// needs it then, or another MID may have to be tried.
func (gw *Gateway) holdsCode(c *charge) bool {
	if _, ok := c.connector.(methods.Completer); !ok {
		return false
	}
	return methods.CapabilitiesOf(c.connector).CodeAtReturn || c.profile.Mapping(c.Payment.Protocol).Cascade && len(c.candidates) > 0
}

// withoutCode are the candidates that take a charge without its security code.
func (gw *Gateway) withoutCode(candidates []route.Candidate) []route.Candidate {
	return slices.DeleteFunc(candidates, func(one route.Candidate) bool {
		return !methods.CapabilitiesOf(gw.cfg.Connectors[one.Connector]).ResendWithoutCode
	})
}
