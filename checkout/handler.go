package checkout

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/envelope"
)

// Handler serves the protocol's paths at its root; mount it behind http.StripPrefix where you like. Any
// other path, and any method but POST, is a 404 in the protocol's own envelope.
func Handler(gw *gateway.Gateway) http.Handler {
	mux := http.NewServeMux()
	Register(mux, gw)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { write(w, envelope.NotFound()) })
	return mux
}

// Register adds the protocol's paths to a mux of the host.
func Register(mux *http.ServeMux, gw *gateway.Gateway) {
	for _, e := range endpoints {
		mux.HandleFunc("POST "+e.path, func(w http.ResponseWriter, r *http.Request) { e.serve(w, r, gw) })
	}
	mux.HandleFunc("/api/v1/", func(w http.ResponseWriter, _ *http.Request) { write(w, envelope.NotFound()) })
}

func (e endpoint) serve(w http.ResponseWriter, r *http.Request, gw *gateway.Gateway) {
	body, err := read(http.MaxBytesReader(w, r.Body, int64(e.limit)), min(r.ContentLength, int64(e.limit)))
	if err != nil {
		write(w, envelope.Fail(unreadable(err, e.limit)))
		return
	}
	write(w, e.answer(r.Context(), gw, Request{
		Path: e.path, ContentType: r.Header.Get("Content-Type"),
		ContentEncoding: r.Header.Get("Content-Encoding"), Body: body,
	}))
}

// read is io.ReadAll into one buffer of the length that was announced, which need not be the truth.
func read(body io.Reader, announced int64) ([]byte, error) {
	var buffer bytes.Buffer
	buffer.Grow(int(max(announced, 0)) + bytes.MinRead)
	_, err := buffer.ReadFrom(body)
	return buffer.Bytes(), err
}

func unreadable(err error, limit int) error {
	text := "could not be read to its end"
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		text = fmt.Sprintf("must be at most %d bytes", limit)
	}
	return gateway.ErrInvalid.Fields(gateway.Fault{Path: "body", Text: text})
}

func write(w http.ResponseWriter, r Response) {
	header := w.Header()
	header.Set("Content-Type", r.ContentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body) // a client that is gone does not matter
}
