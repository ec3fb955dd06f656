package s2s

import (
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/envelope"
)

// Handler serves the protocol's paths at its root; mount it under a prefix with http.StripPrefix. Any other path,
// and any method but POST, gets a 404 in the protocol's own envelope.
func Handler(gw *gateway.Gateway) http.Handler {
	mux := http.NewServeMux()
	Register(mux, gw)
	mux.HandleFunc("/", serveNotFound)
	return mux
}

// Routes returns the patterns that Register claims of a mux.
func Routes() (patterns []string) {
	for _, p := range paths {
		patterns = append(patterns, "POST "+p.name, p.name)
	}
	return patterns
}

// Register adds the protocol's paths (Routes) to a mux of the host. It panics like mux for a path that is registered
// already, and without a gateway.
func Register(mux *http.ServeMux, gw *gateway.Gateway) {
	gw.PublicURL() // panics for a gateway that New did not make
	for _, p := range paths {
		mux.HandleFunc("POST "+p.name, func(w http.ResponseWriter, r *http.Request) { serve(w, r, p.name, gw) })
		mux.HandleFunc(p.name, serveNotFound)
	}
}

func serveNotFound(w http.ResponseWriter, _ *http.Request) { notFound().Write(w) }

func serve(w http.ResponseWriter, r *http.Request, path string, gw *gateway.Gateway) {
	body, err := envelope.Read(w, r, MaxCreate)
	if err != nil {
		fail(gateway.AsError(err)).Write(w)
		return
	}
	do(r.Context(), gw, Request{
		Path: path, ContentType: r.Header.Get("Content-Type"),
		ContentEncoding: r.Header.Get("Content-Encoding"), Body: body,
	}).Write(w)
}
