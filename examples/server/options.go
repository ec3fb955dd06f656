package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// options are the flags.
type options struct {
	addr   string
	db     string // path of the database; empty: in memory, or at url
	url    string // of a PostgreSQL database; its password may be in it
	keys   string // path of the key file
	config string // path of the configuration; empty: the demo merchant
	public string // as given; empty for the listener's own address

	shop, shopPublic string // the same for the shop's own origin; an empty address is the next free port
	check            string // the operators' address of a running server, to be asked in place of serving
	ops              string // where operators look; an empty address is the next free port
}

func parse(args []string, errs io.Writer) (opts options, err error) {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.StringVar(&opts.addr, "addr", "127.0.0.1:8080", "where to listen; port 0 picks a free one")
	kept := flags.String("store", "bolt:tollgate.db", "where records are stored: bolt:FILE, postgres:URL or memory")
	flags.StringVar(&opts.keys, "keys", "",
		"the file with the keys; default: FILE.keys beside a database file, tollgate.keys with PostgreSQL")
	flags.StringVar(&opts.config, "config", "",
		"JSON file with merchants, mappings, mids, wallets, crypto assets and methods, instead of the demo merchant")
	flags.StringVar(&opts.public, "public", "",
		"scheme and host at which browsers reach the server, if they differ from -addr")
	flags.StringVar(&opts.shop, "shop", "",
		"address of the shop's own listener; default: the next free port of the loopback")
	flags.StringVar(&opts.shopPublic, "shop-public", "",
		"scheme and host at which browsers reach the shop, if they differ from -shop")
	flags.StringVar(&opts.ops, "ops", "",
		"address of the operators' listener, with /metrics and /healthz; default: the next free port of the loopback")
	flags.StringVar(&opts.check, "check", "",
		"ask the operators' address of a running server whether it works, and end: 0 when it does")
	if err := flags.Parse(args); err != nil {
		return opts, err
	}
	if flags.NArg() > 0 {
		return opts, fmt.Errorf("%q is no flag", flags.Arg(0))
	}
	if err := opts.storeAt(*kept); err != nil {
		return opts, err
	}
	for name, public := range map[string]*string{"-public": &opts.public, "-shop-public": &opts.shopPublic} {
		if *public == "" {
			continue
		}
		if *public, err = originOf(*public); err != nil {
			return opts, fmt.Errorf("%s: %w", name, err)
		}
	}
	if opts.public != "" && opts.public == opts.shopPublic {
		return opts,
			errors.New("-shop-public: must not be -public: the shop's own page would reach into the fields of the card")
	}
	return opts, nil
}

// storeAt reads where the records are stored. postgres:URL may also be the URL alone, which begins alike. An error does
// not repeat the value, which may hold a password.
func (o *options) storeAt(place string) error {
	kind, at, _ := strings.Cut(place, ":")
	switch {
	case place == "memory" && o.keys == "":
		return nil
	case place == "memory":
		return errors.New("-keys: the keys of a store in memory are in memory")
	case kind == "bolt" && at != "":
		o.db, o.keys = at, cmp.Or(o.keys, at+".keys")
	case kind == "postgresql" || kind == "postgres" && strings.HasPrefix(at, "//"):
		o.url, o.keys = place, cmp.Or(o.keys, "tollgate.keys")
	case kind == "postgres" && at != "":
		o.url, o.keys = at, cmp.Or(o.keys, "tollgate.keys")
	default:
		return errors.New("-store: must be bolt:FILE, postgres:URL like postgres://user@host/database, or memory")
	}
	return nil
}

// originOf returns scheme and host. A path is refused: the shop's links begin at the root.
func originOf(text string) (string, error) {
	u, err := url.Parse(strings.TrimSuffix(text, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("must be scheme and host, like https://demo.example")
	}
	return u.Scheme + "://" + u.Host, nil
}

// site is the address of the server: for itself, and for browsers.
type site struct {
	local  string     // like http://127.0.0.1:8080
	public string     // local, unless -public says otherwise
	ip     netip.Addr // of local
}

// siteOf returns the addresses of a listener. One that listens on all addresses is called over loopback.
func siteOf(addr *net.TCPAddr, public string) site {
	ip := addr.AddrPort().Addr().Unmap().WithZone("")
	if ip.IsUnspecified() {
		ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	s := site{local: "http://" + net.JoinHostPort(ip.String(), strconv.Itoa(addr.Port)), public: public, ip: ip}
	if public == "" {
		s.public = s.local
	}
	return s
}
