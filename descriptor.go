package gateway

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// maxDescriptor is how many characters a statement takes (SPEC2, Descriptor).
const maxDescriptor = 20

// descriptor is what the payer's statement says of an attempt: the parameter of the request where the method takes
// one, else what the MID has (decision cb).
func (gw *Gateway) descriptor(c *charge) string {
	takes := slices.ContainsFunc(gw.rulesOf(&c.Payment), func(code string) bool { return gw.catalogue.Takes(code, "descriptor") })
	sent, _ := sentParameters(c.Parameters)
	own := textParameter(sent, "descriptor")
	if !takes || utf8.RuneCountInString(own) > maxDescriptor {
		own = ""
	}
	return cmp.Or(own, c.MID.Descriptor)
}
