package main

import (
	"errors"
	"net"
	"strconv"
)

// listeners are the server's listeners: for the site, for the shop on its own origin, and for the operators.
type listeners struct{ site, own, ops net.Listener }

func listen(opts options) (at listeners, err error) {
	if at.site, err = net.Listen("tcp", opts.addr); err != nil {
		return at, err
	}
	after := at.site.Addr().(*net.TCPAddr).Port
	if at.own, err = listenNext(opts.shop, opts.addr, after); err != nil {
		return at, errors.Join(err, at.site.Close())
	}
	if at.ops, err = listenNext(opts.ops, opts.addr, after); err != nil {
		return at, errors.Join(err, at.site.Close(), at.own.Close())
	}
	return at, nil
}

// nearby is how many ports after the site's are tried for the other listeners.
const nearby = 20

// listenNext listens on an address, or without one on the next free loopback port after the site's. When the system
// chose the site's port, it chooses this one too.
func listenNext(addr, site string, after int) (net.Listener, error) {
	if addr != "" {
		return net.Listen("tcp", addr)
	}
	if _, port, err := net.SplitHostPort(site); err == nil && port != "0" {
		for next := after + 1; next <= min(after+nearby, 65535); next++ {
			if own, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(next))); err == nil {
				return own, nil
			}
		}
	}
	return net.Listen("tcp", "127.0.0.1:0")
}

func (at listeners) close() error {
	return errors.Join(at.site.Close(), at.own.Close(), at.ops.Close())
}
