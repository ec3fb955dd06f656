// Package bodylimit reads the bodies of requests up to a limit.
package bodylimit

import (
	"io"
	"net/http"
)

// Reader reads at most limit bytes of a body, as http.MaxBytesReader does. When the body is longer, or breaks off, the
// connection is closed after the answer. MaxBytesReader does that only while w is the server's own: behind middleware
// that wraps it the server would wait for the rest of a body that never ends, and the answer with it.
func Reader(w http.ResponseWriter, r *http.Request, limit int64) io.ReadCloser {
	return &reader{http.MaxBytesReader(w, r.Body, limit), w, r.ProtoMajor}
}

type reader struct {
	io.ReadCloser
	w     http.ResponseWriter
	major int // of HTTP: from 2 on, a stream ends by itself
}

func (b *reader) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && b.major == 1 {
		b.w.Header().Set("Connection", "close")
	}
	return n, err
}
