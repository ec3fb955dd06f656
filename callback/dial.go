package callback

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
)

// ErrAddress: Dial does not connect to this destination. It is an address in a denied range, an IPv4 address in an
// unusual notation, or port 0.
var ErrAddress = errors.New("callback: address not allowed")

// Dial opens TCP connections to addresses of the public internet only, so that a URL of a merchant cannot make the
// gateway call its own host, its network or a cloud metadata service. The zero value is the strictest. The check
// is on the address of the connection, after name resolution, so a name that changes its address between check and
// use gains nothing.
type Dial struct {
	// Allow lists ranges that may be dialled although they are denied by default, for tests, demos and merchants in
	// the host's own network.
	Allow []netip.Prefix

	// Resolver resolves names; nil means net.DefaultResolver.
	Resolver *net.Resolver
}

// denied is everything that is not the public internet (the IANA special-purpose registries). The netip predicates
// miss several of these, so the ranges are listed. It is never changed.
var denied = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),        // this host
	netip.MustParsePrefix("10.0.0.0/8"),       // private
	netip.MustParsePrefix("100.64.0.0/10"),    // shared by carriers; metadata of one cloud
	netip.MustParsePrefix("127.0.0.0/8"),      // loopback
	netip.MustParsePrefix("168.63.129.16/32"), // a cloud's host agent, public by number only
	netip.MustParsePrefix("169.254.0.0/16"),   // link-local; metadata of most clouds
	netip.MustParsePrefix("172.16.0.0/12"),    // private
	netip.MustParsePrefix("192.0.0.0/24"),     // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),     // documentation
	netip.MustParsePrefix("192.88.99.0/24"),   // 6to4 relays, withdrawn
	netip.MustParsePrefix("192.168.0.0/16"),   // private
	netip.MustParsePrefix("198.18.0.0/15"),    // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"),  // documentation
	netip.MustParsePrefix("203.0.113.0/24"),   // documentation
	netip.MustParsePrefix("224.0.0.0/4"),      // multicast
	netip.MustParsePrefix("240.0.0.0/4"),      // reserved, broadcast

	// IPv6 is in general use inside 2000::/3 alone. The three ranges around it hold ::, ::1, IPv4 inside
	// IPv6, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), 5f00::/16, fc00::/7, fe80::/10, fec0::/10 and ff00::/8.
	netip.MustParsePrefix("::/3"),
	netip.MustParsePrefix("4000::/2"),
	netip.MustParsePrefix("8000::/1"),
	netip.MustParsePrefix("2001::/23"),     // protocol assignments: Teredo, benchmarks, ORCHID
	netip.MustParsePrefix("2001:db8::/32"), // documentation
	netip.MustParsePrefix("2002::/16"),     // 6to4: an IPv4 address in disguise
	netip.MustParsePrefix("3ffe::/16"),     // a test network, withdrawn
	netip.MustParsePrefix("3fff::/20"),     // documentation
}

// Allowed reports whether addr may be dialled: it lies in no denied range, or in one of d.Allow. An IPv4 address
// mapped into IPv6 counts as IPv4, and a zone is ignored.
func (d Dial) Allowed(addr netip.Addr) bool {
	if !addr.IsValid() {
		return false
	}
	addr = addr.Unmap().WithZone("") // a prefix never contains an address with a zone
	return contains(d.Allow, addr) || !contains(denied, addr)
}

func contains(prefixes []netip.Prefix, addr netip.Addr) bool {
	for _, p := range prefixes {
		if p.Addr().Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// DialContext connects to address, "host:port" with a port number. It has the signature that http.Transport needs,
// and uses no proxy from the environment. For a destination that may not be dialled it returns an error that wraps
// ErrAddress, and sends no packet.
func (d Dial) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, ErrAddress
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return nil, ErrAddress
	}
	if _, err := netip.ParseAddr(host); err != nil && endsInNumber(host) {
		return nil, ErrAddress
	}
	dialer := net.Dialer{Resolver: d.Resolver, ControlContext: d.control}
	return dialer.DialContext(ctx, network, address)
}

// control runs for every address of a name, after resolution and before the connection.
func (d Dial) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return ErrAddress
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil || target.Port() == 0 || !d.Allowed(target.Addr()) {
		return ErrAddress
	}
	return nil
}

// endsInNumber reports whether the last label of host is a number, as in 2130706433, 0x7f.1 or 127.0.0.1. (with
// the dot). No public name ends so. Some resolvers read such a text as an IPv4 address and others ask the DNS;
// browsers have the same rule (URL Standard, "ends in a number").
func endsInNumber(host string) bool {
	host = strings.TrimRight(host, ".")
	label := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}
