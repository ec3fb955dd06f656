package hpf

import (
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/hpf/sdk"
	"github.com/tollgatepay/gateway/internal/clientip"
	"github.com/tollgatepay/gateway/internal/envelope"
	"github.com/tollgatepay/gateway/internal/hsts"
)

// Options are the options of the host. The zero value is valid.
type Options struct {
	// TrustedProxies are the peers whose X-Forwarded-For is trusted. The caller's address is then the rightmost entry
	// that is not one of them; without trusted proxies it is the peer's.
	TrustedProxies []netip.Prefix
	// StrictTransport is how long browsers remember to use https only for this host (Strict-Transport-Security).
	// Default: a year when the gateway's PublicURL is https. A negative value sends no such header, for a host whose
	// name serves plain http too.
	StrictTransport time.Duration
}

// Handler serves the protocol's paths and those of package sdk at its root; mount it under a prefix with
// http.StripPrefix. Any other path is a 404 in the protocol's own envelope.
func Handler(gw *gateway.Gateway, opts Options) http.Handler {
	mux := http.NewServeMux()
	Register(mux, gw, opts)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { write(w, envelope.NotFound()) })
	return mux
}

// Routes returns the patterns that Register claims of a mux.
func Routes() (patterns []string) {
	for _, e := range endpoints {
		patterns = append(patterns, e.path)
	}
	return append(patterns, sdk.Routes()...)
}

// Register adds the protocol's paths and those of package sdk (Routes) to a mux of the host. It panics like mux for a
// path that is registered already, without a gateway, and for a prefix of trusted proxies that does not do what it
// says.
func Register(mux *http.ServeMux, gw *gateway.Gateway, opts Options) {
	if err := clientip.Check(opts.TrustedProxies); err != nil {
		panic(fmt.Errorf("hpf: %w", err))
	}
	for _, e := range endpoints {
		mux.HandleFunc(e.path, func(w http.ResponseWriter, r *http.Request) { e.serve(w, r, gw, opts) })
	}
	sdk.Register(mux, fields{gw}, sdk.Options{StrictTransport: hsts.Age(opts.StrictTransport, gw.PublicURL())})
}

func (e endpoint) serve(w http.ResponseWriter, r *http.Request, gw *gateway.Gateway, opts Options) {
	request := Request{Method: r.Method, Path: e.path, Header: r.Header, Address: clientip.Of(r, opts.TrustedProxies)}
	if refusal, refused := e.refusal(r.Context(), gw, request); refused {
		write(w, refusal)
		return
	}
	body, err := envelope.Read(w, r, e.limit)
	if err != nil {
		write(w, envelope.Fail(err))
		return
	}
	request.Body = body
	write(w, e.perform(r.Context(), gw, request))
}

// write sets the same headers on every answer, pages included: it must not be cached, framed or sniffed, and no
// other origin may load it.
func write(w http.ResponseWriter, r envelope.Response) {
	header := w.Header()
	header.Set("Content-Security-Policy",
		"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Frame-Options", "DENY")
	r.Write(w)
}
