package callback

import (
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllowed(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		addr    string
		allowed bool
	}{
		{"public", "8.8.8.8", true},
		{"public IPv6", "2606:4700:4700::1111", true},
		{"public mapped", "::ffff:8.8.8.8", true},
		{"below private", "9.255.255.255", true},
		{"private", "10.0.0.0", false},
		{"end of private", "10.255.255.255", false},
		{"above private", "11.0.0.0", true},
		{"loopback", "127.0.0.1", false},
		{"end of loopback", "127.255.255.255", false},
		{"mapped loopback", "::ffff:127.0.0.1", false},
		{"compatible loopback", "::7f00:1", false},
		{"any", "0.0.0.0", false},
		{"this network", "0.1.2.3", false},
		{"shared", "100.64.0.1", false},
		{"end of shared", "100.127.255.255", false},
		{"above shared", "100.128.0.0", true},
		{"metadata", "169.254.169.254", false},
		{"mapped metadata", "::ffff:a9fe:a9fe", false},
		{"host agent", "168.63.129.16", false},
		{"172.15", "172.15.255.255", true},
		{"172.16", "172.16.0.0", false},
		{"172.31", "172.31.255.255", false},
		{"172.32", "172.32.0.0", true},
		{"assignments", "192.0.0.1", false},
		{"test 1", "192.0.2.1", false},
		{"192.168", "192.168.1.1", false},
		{"benchmark", "198.19.255.255", false},
		{"above benchmark", "198.20.0.0", true},
		{"test 2", "198.51.100.1", false},
		{"test 3", "203.0.113.1", false},
		{"end of unicast", "223.255.255.255", true},
		{"multicast", "224.0.0.1", false},
		{"reserved", "240.0.0.1", false},
		{"broadcast", "255.255.255.255", false},
		{"unspecified", "::", false},
		{"loopback IPv6", "::1", false},
		{"NAT64", "64:ff9b::7f00:1", false},
		{"local NAT64", "64:ff9b:1::1", false},
		{"discard", "100::1", false},
		{"Teredo", "2001::1", false},
		{"ORCHID", "2001:20::1", false},
		{"above assignments", "2001:200::1", true},
		{"documentation", "2001:db8::1", false},
		{"6to4", "2002:7f00:1::1", false},
		{"documentation 2", "3fff:fff::1", false},
		{"above documentation 2", "3fff:1000::1", true},
		{"segment routing", "5f00::1", false},
		{"unique local", "fd00:ec2::254", false},
		{"link-local", "fe80::1", false},
		{"link-local with zone", "fe80::1%eth0", false},
		{"mapped with zone", "::ffff:127.0.0.1%eth0", false},
		{"site-local", "fec0::1", false},
		{"multicast IPv6", "ff02::1", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.allowed, Dial{}.Allowed(netip.MustParseAddr(c.addr)))
		})
	}
	require.False(t, Dial{}.Allowed(netip.Addr{}))
}

func TestAllowList(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, allow, addr string
		allowed           bool
	}{
		{"named", "127.0.0.1/32", "127.0.0.1", true},
		{"named, mapped", "127.0.0.1/32", "::ffff:127.0.0.1", true},
		{"named as mapped", "::ffff:127.0.0.0/104", "127.0.0.1", true},
		{"neighbour", "127.0.0.1/32", "127.0.0.2", false},
		{"other family", "::/0", "127.0.0.1", false},
		{"zone", "fe80::/10", "fe80::1%eth0", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := Dial{Allow: []netip.Prefix{netip.MustParsePrefix(c.allow)}}
			require.Equal(t, c.allowed, d.Allowed(netip.MustParseAddr(c.addr)))
		})
	}
	require.False(t, Dial{Allow: []netip.Prefix{{}}}.Allowed(netip.MustParseAddr("127.0.0.1")))
}

func TestDialContextRefuses(t *testing.T) {
	t.Parallel()
	all := Dial{Allow: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}}
	cases := []struct {
		name, network, address string
		dial                   Dial
	}{
		{"loopback", "tcp", "127.0.0.1:1", Dial{}},
		{"mapped", "tcp", "[::ffff:127.0.0.1]:1", Dial{}},
		{"NAT64", "tcp", "[64:ff9b::7f00:1]:1", Dial{}},
		{"port 0", "tcp", "127.0.0.1:0", all},
		{"service name", "tcp", "127.0.0.1:http", all},
		{"large port", "tcp", "127.0.0.1:65536", all},
		{"no port", "tcp", "127.0.0.1", all},
		{"one number", "tcp", "2130706433:1", all},
		{"hexadecimal", "tcp", "0x7f.1:1", all},
		{"hexadecimal at the end", "tcp", "127.0.0.0x1:1", all},
		{"bare 0x", "tcp", "127.0.0.0x:1", all},
		{"octal", "tcp", "0177.0.0.1:1", all},
		{"short", "tcp", "127.1:1", all},
		{"trailing dot", "tcp", "127.0.0.1.:1", all},
		{"five parts", "tcp", "1.127.0.0.1:1", all},
		{"datagrams", "udp", "127.0.0.1:1", all},
		{"unix socket", "unix", "/run/x:1", all},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conn, err := c.dial.DialContext(t.Context(), c.network, c.address)
			require.ErrorIs(t, err, ErrAddress)
			require.Nil(t, conn)
		})
	}
}

func TestEndsInNumber(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"1", "example.1", "0XFF", "a.0x.", "08", "1.2.3.4.."} {
		require.True(t, endsInNumber(host), host)
	}
	for _, host := range []string{"", ".", "example.com", "1.com", "0x.com", "0xg", "x1", "1a", "a-1"} {
		require.False(t, endsInNumber(host), host)
	}
}

// The check is made on the address of the connection, whatever the name resolved to before.
func TestControl(t *testing.T) {
	t.Parallel()
	control := func(network, address string) error {
		return Dial{}.control(t.Context(), network, address, nil)
	}
	require.NoError(t, control("tcp4", "8.8.8.8:443"))
	require.NoError(t, control("tcp6", "[2606:4700::1]:443"))
	for _, address := range []string{"10.0.0.1:443", "[::ffff:10.0.0.1]:443", "[fe80::1%eth0]:443", "8.8.8.8:0",
		"name:443", ""} {
		require.ErrorIs(t, control("tcp4", address), ErrAddress, address)
	}
	require.ErrorIs(t, control("udp4", "8.8.8.8:443"), ErrAddress)
	require.ErrorIs(t, control("unix", "8.8.8.8:443"), ErrAddress)
}

// special is a second list of addresses that must not be dialled, independent of the table under test.
var special = []string{
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16",
	"172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", // 224/4 and 240/4
	"0000::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3ffe::/16", "3fff::/20",
}

// inside compares bit by bit with net.ParseCIDR, without netip.Prefix.
func inside(ranges []string, addr []byte) bool {
	for _, text := range ranges {
		_, n, err := net.ParseCIDR(text)
		if err != nil {
			panic(err)
		}
		same := len(n.IP) == len(addr)
		for i := 0; same && i < len(addr); i++ {
			same = addr[i]&n.Mask[i] == n.IP[i]
		}
		if same {
			return true
		}
	}
	return false
}

func FuzzAllowed(f *testing.F) {
	for _, text := range append([]string{"8.8.8.8/32", "::ffff:7f00:1/128", "64:ff9b::7f00:1/128"}, special...) {
		ip, _, err := net.ParseCIDR(text)
		require.NoError(f, err)
		f.Add([]byte(ip), uint8(24), false)
		f.Add([]byte(ip), uint8(16), true)
	}
	f.Fuzz(func(t *testing.T, raw []byte, bits uint8, allow bool) {
		addr, ok := netip.AddrFromSlice(raw)
		if !ok {
			return
		}
		plain := addr.Unmap()
		var d Dial
		var listed []string
		if allow {
			near := plain.AsSlice()
			near[len(near)-1] ^= 1 // sometimes in one range with addr, sometimes not
			n, _ := netip.AddrFromSlice(near)
			p, err := n.Prefix(int(bits) % (plain.BitLen() + 1))
			require.NoError(t, err)
			d.Allow, listed = []netip.Prefix{p}, []string{p.String()}
		}
		want := !inside(special, plain.AsSlice()) || inside(listed, plain.AsSlice())
		forms := []netip.Addr{addr, plain}
		if plain.Is4() {
			forms = append(forms, netip.AddrFrom16(plain.As16()))
		} else {
			forms = append(forms, plain.WithZone("eth0"))
		}
		for _, form := range forms {
			require.Equal(t, want, d.Allowed(form), "%s", form)
			require.Equal(t, want, d.control(t.Context(), "tcp4", netip.AddrPortFrom(form, 443).String(), nil) == nil, "%s",
				form)
		}
	})
}
