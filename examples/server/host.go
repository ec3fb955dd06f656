package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	official "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/examples/server/shop"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/hpf/sdk"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/prometheus"
	"github.com/tollgatepay/gateway/openapi"
)

// The time-outs of the HTTP server. Writing has to outlast a call to an acquirer.
const (
	headerTimeout   = 5 * time.Second
	readTimeout     = 15 * time.Second
	writeTimeout    = 60 * time.Second
	idleTimeout     = 60 * time.Second
	shutdownTimeout = 45 * time.Second
	maxHeader       = 64 << 10
)

// host is all parts of the process.
type host struct {
	site     site
	own      site // the shop's own origin
	ops      site // the operators' address
	opts     options
	log      *slog.Logger
	kept     *kept
	notifier *callback.HTTPNotifier
	acquirer *vcard.Connector
	gateway  *gateway.Gateway
	platform *gatewayhttp.Handler
	metrics  *prometheus.Metrics
	records  records
	shop     *shop.Shop
}

// open opens all parts. After an error nothing stays open.
func open(ctx context.Context, opts options, at, own, ops site, log *slog.Logger) (h *host, err error) {
	h = &host{site: at, own: own, ops: ops, opts: opts, log: log, metrics: prometheus.New()}
	if h.records, err = recordsOf(opts, at); err != nil {
		return nil, err
	}
	if h.kept, err = openKept(ctx, opts); err != nil {
		return nil, err
	}
	if err := h.assemble(ctx); err != nil {
		return nil, errors.Join(err, h.kept.close())
	}
	return h, nil
}

func (h *host) assemble(ctx context.Context) (err error) {
	// The demo's callbacks go to its own shop, whose address is not public.
	allow := []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"),
		netip.PrefixFrom(h.site.ip, h.site.ip.BitLen()),
	}
	h.notifier = &callback.HTTPNotifier{Dial: callback.Dial{Allow: allow}}
	h.acquirer, err = vcard.New(vcard.Config{
		Store: h.kept.acquirer, Secret: h.kept.secret, PublicURL: h.site.public + "/vcard",
	})
	if err != nil {
		return err
	}
	currencies, err := methods.NewCurrencies(h.records.crypto...)
	if err != nil {
		return err
	}
	h.gateway, err = gateway.New(gateway.Config{
		Store: h.kept.store, Keys: h.kept.keys, Connectors: map[string]methods.Connector{connector: h.acquirer},
		PublicURL: h.site.public, Notifier: h.notifier, Log: h.log, Crypto: h.records.crypto, Methods: h.records.methods,
		Wallets: h.records.roots, Quoter: vat{currencies}, Observers: []observe.Observer{h.metrics},
	})
	if err != nil {
		return err
	}
	if h.opts.keys != "" {
		if err := h.kept.sameKeys(ctx, h.gateway, h.opts); err != nil {
			return err
		}
	}
	if err := h.records.save(ctx, h.gateway, h.acquirer); err != nil {
		return err
	}
	h.platform, err = gatewayhttp.New(h.gateway, gatewayhttp.Options{Prefix: "/", Page: page.Options{Log: h.log}})
	if err != nil {
		return err
	}
	library := sdk.Library()
	h.shop, err = shop.New(shop.Config{
		VAT: true, API: h.site.local, Public: h.site.public, Accounts: h.records.accounts(), Log: h.log, Own: h.own.public,
		Sent:    h.records.sent(h.gateway),
		Library: shop.Library{URL: h.site.public + "/" + library.Path, Integrity: library.Integrity},
	})
	return err
}

// handler serves the whole site, except for the shop's own origin.
func (h *host) handler() http.Handler {
	mux := http.NewServeMux()
	h.platform.Register(mux)
	mux.Handle("GET /openapi.json", openapi.Handler())
	mux.Handle("/vcard/", http.StripPrefix("/vcard", h.acquirer.Pages()))
	h.shop.Register(mux)
	return mux
}

// operators serves what is for the operators alone: the numbers of the business, and whether it works.
func (h *host) operators() http.Handler {
	registry := official.NewRegistry()
	registry.MustRegister(h.metrics, prometheus.Gauges(h.gateway), collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.Handle("GET /healthz", gatewayhttp.Health(h.gateway))
	return mux
}

func (h *host) server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(h.log.Handler(), slog.LevelWarn),
	}
}

// serve answers requests and does due work until ctx ends. Then it stops in an order in which nothing is lost: new
// requests, running requests, due work, stores.
func (h *host) serve(ctx context.Context, at listeners) error {
	site, own, ops := h.server(h.handler()), h.server(h.shop.Own()), h.server(h.operators())
	lasting := context.WithoutCancel(ctx)
	work, stopWork := context.WithCancel(lasting)
	var running sync.WaitGroup
	served := make(chan error, 3)
	running.Go(func() { _ = h.gateway.Run(work) }) // it ends with work, and its error is only that
	running.Go(func() { served <- site.Serve(at.site) })
	running.Go(func() { served <- own.Serve(at.own) })
	running.Go(func() { served <- ops.Serve(at.ops) })
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	}
	grace, cancel := context.WithTimeout(lasting, shutdownTimeout)
	defer cancel()
	err = errors.Join(err, h.stop(grace, own), h.stop(grace, site)) // the shop calls the gateway, so it stops first
	stopWork()
	err = errors.Join(err, h.gateway.Close(grace), h.stop(grace, ops)) // seen to the end
	running.Wait()
	h.notifier.Close()
	return errors.Join(err, h.kept.close())
}

// stop stops an HTTP server when all requests are answered, or when grace ends.
func (h *host) stop(grace context.Context, server *http.Server) error {
	h.shop.Close() // its idle connections would hold up the server
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("requests still run: %w", errors.Join(err, server.Close()))
	}
	h.shop.Close()
	return nil
}
