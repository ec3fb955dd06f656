// Package clientip finds the sender of a request that may have come through proxies.
package clientip

import (
	"net/http"
	"net/netip"
	"strings"
)

// Of returns the address of the sender of a request: the peer's, or, if the peer is a trusted proxy, the rightmost
// entry of X-Forwarded-For that is not a trusted proxy. Entries further left may be forged. An entry that is no
// address ends the search at the last known hop. Of returns an empty string when the peer has no address.
func Of(r *http.Request, trusted []netip.Prefix) string {
	hop, ok := parseHop(r.RemoteAddr)
	if !ok {
		return ""
	}
	entries := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(entries) - 1; i >= 0 && within(hop, trusted); i-- {
		next, ok := parseHop(strings.TrimSpace(entries[i]))
		if !ok {
			break
		}
		hop = next
	}
	return hop.String()
}

// parseHop reads an address with or without a port.
func parseHop(text string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(text)
	if err != nil {
		withPort, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		addr = withPort.Addr()
	}
	return addr.Unmap().WithZone(""), true
}

func within(addr netip.Addr, prefixes []netip.Prefix) bool {
	for _, prefix := range prefixes {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}
