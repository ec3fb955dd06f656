// Command server is a whole payment gateway in one process: the reference host of the library, with a demo shop
// that sells through it.
//
//	go run ./examples/server [-addr 127.0.0.1:8080] [-shop ADDR] [-ops ADDR]
//	                         [-store bolt:FILE | postgres:URL | memory] [-keys FILE]
//	                         [-config FILE] [-public URL] [-shop-public URL]
//	go run ./examples/server -check ADDR
//
// The gateway's protocols, its payment page and the shop share one address; the test acquirer's pages are under
// /vcard/. The shop also has an address of its own, by default the next free port (-shop). There its own page
// takes cards with the gateway's hosted fields, whose frames must be of another origin. /metrics and /healthz are at an
// address for operators (-ops), since payers have no business there. Without -config there is
// one demo merchant, whose credentials are printed. With -config the merchants come from a file:
//
//	{
//	  "merchants": [{"id": "m1", "name": "Shop", "key": "...", "password": "...", "notification_url": "..."}],
//	  "mappings":  [{"merchant": "m1", "protocol": "checkout", "sha256": true}],
//	  "mids":      [{"id": "m1-live", "merchant": "m1", "name": "Live", "connector": "vcard"}]
//	}
//
// The records are store.Merchant, store.Mapping and store.MID; the shop trades as the first merchant.
//
// The database is one file. Its keys are in a second file, FILE.keys, which belongs in another backup. The test
// acquirer has its ledger in FILE.acquirer.
//
// With postgres:URL several servers share one database: -store postgres://user@host/payments. Each needs the same key
// file (-keys). A password is better in PGPASSWORD or a file of PGPASSFILE than in the flag, which other users of the
// machine can read.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends and leaves nothing running. The first line on out is the address.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	opts, err := parse(args, errs)
	if err != nil {
		return err
	}
	if opts.check != "" {
		return check(ctx, opts.check)
	}
	log := slog.New(slog.NewTextHandler(errs, nil))
	at, err := listen(opts)
	if err != nil {
		return err
	}
	h, err := open(ctx, opts, siteOf(at.site.Addr().(*net.TCPAddr), opts.public),
		siteOf(at.own.Addr().(*net.TCPAddr), opts.shopPublic), siteOf(at.ops.Addr().(*net.TCPAddr), ""), log)
	if err != nil {
		return errors.Join(err, at.close())
	}
	h.announce(out)
	return h.serve(ctx, at)
}
