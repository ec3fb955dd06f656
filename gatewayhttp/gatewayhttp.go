// Package gatewayhttp serves a whole platform over net/http: its protocols and its payment page, under one prefix.
//
//	platform, err := gatewayhttp.New(gw, gatewayhttp.Options{})
//	...
//	fmt.Print(platform)  // every route
//	platform.Register(mux)
//
// A host that serves one protocol alone, or over another transport, takes that protocol's own package.
package gatewayhttp

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/s2s"
)

// Protocol is a protocol for the merchant's backend. S2S is CARD and APM, which share their paths.
type Protocol string

// The protocols.
const (
	Checkout     Protocol = "checkout"
	HostedFields Protocol = "hosted fields"
	S2S          Protocol = "s2s"
)

// Protocols returns every protocol.
func Protocols() []Protocol { return []Protocol{Checkout, HostedFields, S2S} }

// Options are the options of the host. The zero value serves everything, and trusts no proxy.
type Options struct {
	// Prefix is the path under which the platform is served, like "/pay". Default: the path of the gateway's PublicURL.
	// "/" stands for the root, behind a proxy that cuts the path of PublicURL off.
	Prefix string
	// Protocols are served beside the page, which all of them need: payers come back to it, and acquirers notify it.
	// Default: all.
	Protocols []Protocol
	// TrustedProxies are the peers whose X-Forwarded-For is trusted.
	TrustedProxies []netip.Prefix
	// StrictTransport is how long browsers remember to use https only for this host. Default: a year when PublicURL is
	// https; a negative value sends no such header.
	StrictTransport time.Duration
	// MaxRequests is how many requests are served at a time; more are answered with 503 and Retry-After. Default: no
	// limit.
	MaxRequests int
	// Middleware wraps the whole platform, the first one outermost. It sees the paths with the prefix. Paths of pages
	// hold secrets of payers: log and count Request.Pattern, which names the route once the request is answered. A
	// middleware that passes a copy of the request on copies the Pattern back.
	Middleware []func(http.Handler) http.Handler
	// Page has what concerns the page alone: templates, pictures, wallets, its clock and its log.
	Page page.Options
}

// Handler serves a platform. Any other path is a 404.
type Handler struct {
	prefix   string // without a slash at its end
	patterns []string
	handler  http.Handler
}

// New checks the options, names every fault, and returns the handler of a platform.
func New(gw *gateway.Gateway, opts Options) (*Handler, error) {
	if gw == nil {
		return nil, errors.New("gatewayhttp: the gateway is nil: make one with gateway.New")
	}
	h := &Handler{}
	if err := errors.Join(append(opts.faults(), h.choosePrefix(gw, opts.Prefix))...); err != nil {
		return nil, fmt.Errorf("gatewayhttp: %w", err)
	}
	mux := http.NewServeMux()
	if err := h.mount(mux, gw, &opts); err != nil {
		return nil, fmt.Errorf("gatewayhttp: %w", err)
	}
	h.handler = limited(opts.MaxRequests, h.routed(mux))
	for _, around := range slices.Backward(opts.Middleware) {
		h.handler = around(h.handler)
	}
	return h, nil
}

// mount registers the page and the protocols.
func (h *Handler) mount(mux *http.ServeMux, gw *gateway.Gateway, opts *Options) error {
	look := opts.Page
	look.TrustedProxies, look.StrictTransport = opts.TrustedProxies, opts.StrictTransport
	if _, err := page.New(gw, look); err != nil {
		return err
	}
	fields := hpf.Options{TrustedProxies: opts.TrustedProxies, StrictTransport: opts.StrictTransport}
	for _, row := range []struct {
		protocol Protocol // empty for the page
		routes   []string
		register func()
	}{
		{Checkout, checkout.Routes(), func() { checkout.Register(mux, gw) }},
		{HostedFields, hpf.Routes(), func() { hpf.Register(mux, gw, fields) }},
		{S2S, s2s.Routes(), func() { s2s.Register(mux, gw) }},
		{"", page.Routes(look), func() { page.Register(mux, gw, look) }},
	} {
		if row.protocol == "" || opts.Protocols == nil || slices.Contains(opts.Protocols, row.protocol) {
			row.register()
			h.patterns = append(h.patterns, row.routes...)
		}
	}
	return nil
}

func (opts *Options) faults() (faults []error) {
	for _, p := range opts.Protocols {
		if !slices.Contains(Protocols(), p) {
			faults = append(faults, fmt.Errorf("options.Protocols: %q is none of %q", p, Protocols()))
		}
	}
	if opts.Page.TrustedProxies != nil || opts.Page.StrictTransport != 0 {
		faults = append(faults, errors.New("options.Page: set TrustedProxies and StrictTransport of Options instead"))
	}
	if opts.MaxRequests < 0 {
		faults = append(faults, errors.New("options.MaxRequests must not be negative"))
	}
	if slices.ContainsFunc(opts.Middleware, func(m func(http.Handler) http.Handler) bool { return m == nil }) {
		faults = append(faults, errors.New("options.Middleware must not contain nil"))
	}
	return faults
}

func (h *Handler) choosePrefix(gw *gateway.Gateway, chosen string) error {
	public, err := url.Parse(gw.PublicURL())
	if err != nil {
		return err
	}
	prefix := cmp.Or(chosen, public.Path)
	h.prefix = strings.TrimSuffix(prefix, "/")
	switch {
	case h.prefix == "":
		return nil
	case h.prefix[0] != '/', strings.ContainsAny(h.prefix, "{}? #"), strings.Contains(h.prefix, "//"):
		return fmt.Errorf("options.Prefix: %q is no path, like /pay", prefix)
	}
	return nil
}

// ServeHTTP answers one request of the platform.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.handler.ServeHTTP(w, r) }

// Register adds the platform to a mux of the host: everything under the prefix, or without one every route of Routes
// and nothing else. It panics like mux for a pattern that is registered already.
func (h *Handler) Register(mux *http.ServeMux) {
	if h.prefix != "" {
		mux.Handle(h.prefix+"/", h)
		return
	}
	for _, pattern := range h.patterns {
		mux.Handle(pattern, h)
	}
}

// Routes returns the patterns that are served, with the prefix, sorted by path.
func (h *Handler) Routes() []string {
	list := make([]string, len(h.patterns))
	for i, pattern := range h.patterns {
		list[i] = h.under(pattern)
	}
	slices.SortFunc(list, func(a, b string) int {
		oneMethod, onePath := split(a)
		otherMethod, otherPath := split(b)
		return cmp.Or(cmp.Compare(onePath, otherPath), cmp.Compare(oneMethod, otherMethod))
	})
	return list
}

// split divides a pattern; the method is empty for one of all methods.
func split(pattern string) (method, path string) {
	method, path, ok := strings.Cut(pattern, " ")
	if !ok {
		return "", pattern
	}
	return method, path
}

// String returns the routes, one in a line.
func (h *Handler) String() string {
	var text strings.Builder
	for _, pattern := range h.Routes() {
		method, path := split(pattern)
		fmt.Fprintf(&text, "%-5s %s\n", cmp.Or(method, "any"), path)
	}
	return text.String()
}

// routed answers by the routes below the prefix. It names the route in the request that the middleware has.
func (h *Handler) routed(mux *http.ServeMux) http.Handler {
	if h.prefix == "" {
		return mux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cleaned := path.Clean(r.URL.Path); cleaned != strings.TrimSuffix(r.URL.Path, "/") {
			http.NotFound(w, r) // mux would send it on to a path without the prefix, with the card in its body
			return
		}
		http.StripPrefix(h.prefix, http.HandlerFunc(func(w http.ResponseWriter, below *http.Request) {
			defer func() {
				if below.Pattern != "" {
					r.Pattern = h.under(below.Pattern)
				}
			}()
			mux.ServeHTTP(w, below)
		})).ServeHTTP(w, r)
	})
}

// under returns a pattern with the prefix.
func (h *Handler) under(pattern string) string {
	method, path := split(pattern)
	return strings.TrimSpace(method + " " + h.prefix + path)
}

// limited answers requests beyond a number with 503.
func limited(number int, next http.Handler) http.Handler {
	if number == 0 {
		return next
	}
	slots := make(chan struct{}, number)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			next.ServeHTTP(w, r)
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "The platform is busy. Send the request again.", http.StatusServiceUnavailable)
		}
	})
}
