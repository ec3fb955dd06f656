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

// Register adds the protocol's paths to a mux of the host.
func Register(mux *http.ServeMux, gw *gateway.Gateway) {
	for _, e := range endpoints {
		mux.HandleFunc("POST "+e.path, func(w http.ResponseWriter, r *http.Request) { e.serve(w, r, gw) })
	}
	mux.HandleFunc("/api/v1/", func(w http.ResponseWriter, _ *http.Request) { envelope.NotFound().Write(w) })
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
