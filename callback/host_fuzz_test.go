package callback

import (
	"context"
	"encoding/binary"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzHostText dials any text of an address. A text of digits that only some resolvers read as an IPv4 address is
// refused before it is resolved. A text that all of them read is refused exactly when the address, in any
// notation, lies in a denied range.
func FuzzHostText(f *testing.F) {
	for _, host := range []string{
		"127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001", "127.0.0.1.",
		"127.0.0.1..", "0x", "0x.0x.0x.0x", "00000000000000000000177.0.0.1", "0X7F.0.0.1",
		"1.2.3", "1.2.3.4.5", "256.0.0.1", "4294967296", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1",
		"0:0:0:0:0:ffff:7f00:0001", "64:ff9b::7f00:1", "fe80::1%eth0", "::ffff:127.0.0.1%1",
		"169.254.169.254", "0xa9fea9fe", "100.64.0.1", "8.8.8.8", "2606:4700:4700::1111", "shop.example", "shop.0x7f",
		"1.example", "", ".", "١٢٧.٠.٠.١", "localhost",
	} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		address, err := netip.ParseAddr(host)
		old, numeric := inetAton(host)
		if err != nil && numeric {
			require.True(t, endsInNumber(host), "%q is %s to some", host, old)
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // no connection is ever opened
			_, err := Dial{}.DialContext(ctx, "tcp", host+":443")
			require.ErrorIs(t, err, ErrAddress)
			return
		}
		if err != nil {
			return
		}
		want := !inside(special, address.Unmap().WithZone("").AsSlice())
		plain := address.WithZone("")
		for _, form := range []string{address.String(), plain.String(), plain.StringExpanded(),
			strings.ToUpper(plain.StringExpanded())} {
			read, err := netip.ParseAddr(form)
			require.NoError(t, err)
			require.Equal(t, want, Dial{}.Allowed(read), "%s", form)
			got := Dial{}.control(t.Context(), "tcp6", "["+form+"]:443", nil)
			require.True(t, got == nil == want || plain.Is4(), "%s", form)
		}
		if numeric {
			require.Equal(t, old, address, "two readings of %q", host)
		}
	})
}

// inetAton reads a text that the C library accepts as an IPv4 address: one to four numbers, decimal, octal or
// hexadecimal, where the last one fills the remaining bytes.
func inetAton(host string) (netip.Addr, bool) {
	parts := strings.Split(strings.TrimRight(host, "."), ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	value := uint64(0)
	for i, part := range parts {
		limit := uint64(1) << 8
		if i == len(parts)-1 {
			limit = 1 << (8 * (5 - len(parts)))
		}
		n, ok := anyBase(part)
		if !ok || n >= limit {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			value |= n
		} else {
			value |= n << (8 * (3 - i))
		}
	}
	var bytes [4]byte
	binary.BigEndian.PutUint32(bytes[:], uint32(value))
	return netip.AddrFrom4(bytes), true
}

func anyBase(text string) (uint64, bool) {
	lower, base := strings.ToLower(text), 10
	digits, hex := strings.CutPrefix(lower, "0x")
	switch {
	case hex && digits == "":
		return 0, true // as browsers do
	case hex:
		base = 16
	case len(lower) > 1 && lower[0] == '0':
		base = 8
	}
	if strings.ContainsAny(digits, "_+-") {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return n, err == nil
}
