package clientip

import (
	"errors"
	"fmt"
	"net/netip"
)

// Check names every prefix of trusted proxies that matches no peer, or more peers than it says, with its cure. The same
// prefix twice, and one within another, are fine.
func Check(trusted []netip.Prefix) error {
	var faults []error
	for _, prefix := range trusted {
		if fault := faultOf(prefix); fault != "" {
			faults = append(faults, errors.New("TrustedProxies: "+fault))
		}
	}
	return errors.Join(faults...)
}

func faultOf(prefix netip.Prefix) string {
	addr, bits := prefix.Addr(), prefix.Bits()
	switch {
	case !prefix.IsValid():
		return "an empty prefix matches no peer: leave it out, or parse it with netip.ParsePrefix and look at the error"
	case bits == 0, addr.Is4In6() && bits == 96:
		return prefix.String() + " trusts X-Forwarded-For of every sender, who can forge it: " +
			"list the networks of your proxies"
	case addr.Is4In6() && bits < 96:
		return fmt.Sprintf("%s matches no peer of IPv4: write the network as a.b.c.d/n", prefix)
	case addr.Is4In6():
		return fmt.Sprintf("%s matches no peer, because addresses are compared as IPv4: write %s", prefix,
			netip.PrefixFrom(addr.Unmap(), bits-96).Masked())
	case prefix != prefix.Masked():
		return fmt.Sprintf("%s stands for all of %s: write that, or %s for the one proxy", prefix, prefix.Masked(),
			netip.PrefixFrom(addr, addr.BitLen()))
	}
	return ""
}
