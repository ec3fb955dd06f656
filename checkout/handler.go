package checkout

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
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { envelope.NotFound().Write(w) })
	return mux
}

// elsewhere is the pattern of the paths that answer in the protocol's own envelope that they do not exist.
const elsewhere = "/api/v1/"

// Routes returns the patterns that Register claims of a mux.
func Routes() (patterns []string) {
	for _, e := range endpoints {
		patterns = append(patterns, e.pattern())
	}
	return append(patterns, elsewhere)
}

func (e endpoint) pattern() string { return "POST " + e.path }

// Register adds the protocol's paths (Routes) to a mux of the host. It panics like mux for a path that is registered
// already, and without a gateway.
func Register(mux *http.ServeMux, gw *gateway.Gateway) {
	gw.PublicURL() // panics for a gateway that New did not make
	for _, e := range endpoints {
		mux.HandleFunc(e.pattern(), func(w http.ResponseWriter, r *http.Request) { e.serve(w, r, gw) })
	}
	mux.HandleFunc(elsewhere, func(w http.ResponseWriter, _ *http.Request) { envelope.NotFound().Write(w) })
}

func (e endpoint) serve(w http.ResponseWriter, r *http.Request, gw *gateway.Gateway) {
	body, err := envelope.Read(w, r, e.limit)
	if err != nil {
		envelope.Fail(err).Write(w)
		return
	}
	e.answer(r.Context(), gw, Request{
		Path: e.path, ContentType: r.Header.Get("Content-Type"),
		ContentEncoding: r.Header.Get("Content-Encoding"), Body: body,
	}).Write(w)
}
