package main

import (
	"io"
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// The shop's own origin is the next free port, a port that the system chooses, or the address of the flag.
func TestListen(t *testing.T) {
	t.Parallel()
	at, err := listen(options{addr: "127.0.0.1:0"})
	require.NoError(t, err)
	taken := strconv.Itoa(port(at.site))
	require.NotEqual(t, port(at.site), port(at.own))
	require.NotContains(t, []int{port(at.site), port(at.own)}, port(at.ops))
	for _, flags := range []options{{shop: "127.0.0.1:" + taken}, {ops: "127.0.0.1:" + taken}} {
		flags.addr = "127.0.0.1:0"
		_, err = listen(flags)
		require.Error(t, err)
	}

	next, err := listenNext("", "127.0.0.1:"+taken, port(at.site))
	require.NoError(t, err)
	require.NotEqual(t, port(at.site), port(next))
	require.True(t, next.Addr().(*net.TCPAddr).IP.IsLoopback())
	require.NoError(t, next.Close())
	require.NoError(t, at.close())
}

func TestPublicOrigins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want string // in the error
	}{
		{"two", []string{"-public", "https://pay.example/", "-shop-public", "https://shop.example"}, ""},
		{"the same", []string{"-public", "https://pay.example", "-shop-public", "https://pay.example/"}, "-shop-public"},
		{"a path", []string{"-shop-public", "https://shop.example/x"}, "-shop-public"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(c.args, io.Discard)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
