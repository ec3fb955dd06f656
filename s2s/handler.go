package s2s

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/tollgatepay/gateway"
)

// Handler serves the protocol's paths at its root; mount it behind http.StripPrefix where you like. Any
// other path, and any method but POST, is a 404 in the protocol's own envelope.
func Handler(gw *gateway.Gateway) http.Handler {
	mux := http.NewServeMux()
	Register(mux, gw)
	mux.HandleFunc("/", serveNotFound)
	return mux
}

// Register adds the protocol's paths to a mux of the host.
func Register(mux *http.ServeMux, gw *gateway.Gateway) {
	for _, p := range paths {
		mux.HandleFunc("POST "+p.name, func(w http.ResponseWriter, r *http.Request) { serve(w, r, p.name, gw) })
		mux.HandleFunc(p.name, serveNotFound)
	}
}

func serveNotFound(w http.ResponseWriter, _ *http.Request) { write(w, notFound()) }

func serve(w http.ResponseWriter, r *http.Request, path string, gw *gateway.Gateway) {
	body, err := read(http.MaxBytesReader(w, r.Body, MaxCreate), min(r.ContentLength, MaxFollowUp))
	if err != nil {
		write(w, fail(unreadable(err)))
		return
	}
	write(w, Do(r.Context(), gw, Request{
		Path: path, ContentType: r.Header.Get("Content-Type"),
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

func unreadable(err error) *gateway.Error {
	text := "could not be read to its end"
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		text = textSize(MaxCreate)
	}
	return gateway.ErrInvalid.Fields(gateway.Fault{Path: "body", Text: text})
}

func textSize(limit int) string { return fmt.Sprintf("must be at most %d bytes", limit) }

func write(w http.ResponseWriter, r Response) {
	header := w.Header()
	header.Set("Content-Type", r.ContentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body) // a client that is gone does not matter
}
