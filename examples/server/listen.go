package main

import (
	"errors"
	"net"
	"strconv"
)

// listeners are the server's listeners: for the site, and for the shop on its own origin.
type listeners struct{ site, own net.Listener }

func listen(opts options) (at listeners, err error) {
	if at.site, err = net.Listen("tcp", opts.addr); err != nil {
		return at, err
	}
	if at.own, err = listenOwn(opts, at.site.Addr().(*net.TCPAddr).Port); err != nil {
		return at, errors.Join(err, at.site.Close())
	}
	return at, nil
}

// nearby is how many ports after the site's are tried for the shop.
const nearby = 20

// listenOwn listens on the next free loopback port after the site's, unless the flags name an address. When the
// system chose the site's port, it chooses this one too.
func listenOwn(opts options, after int) (net.Listener, error) {
	if opts.shop != "" {
		return net.Listen("tcp", opts.shop)
	}
	if _, port, err := net.SplitHostPort(opts.addr); err == nil && port != "0" {
		for next := after + 1; next <= min(after+nearby, 65535); next++ {
			if own, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(next))); err == nil {
				return own, nil
			}
		}
	}
	return net.Listen("tcp", "127.0.0.1:0")
}

func (at listeners) close() error { return errors.Join(at.site.Close(), at.own.Close()) }
