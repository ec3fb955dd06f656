package envelope

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/fields"
)

// announced bounds the memory that is reserved for a body by the length that its sender announces.
const announced = 64 << 10

// Read reads a body of at most limit bytes. It returns gateway.ErrInvalid naming body.
func Read(w http.ResponseWriter, r *http.Request, limit int) ([]byte, error) {
	var buffer bytes.Buffer
	buffer.Grow(int(max(0, min(r.ContentLength, int64(limit), announced))) + bytes.MinRead)
	_, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, int64(limit)))
	if err == nil {
		return buffer.Bytes(), nil
	}
	text := "could not be read to its end"
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		text = fields.TextSize(limit)
	}
	return nil, gateway.ErrInvalid.Fields(gateway.Fault{Path: "body", Text: text})
}

// Write sends the answer. It must not be cached, or taken for another media type.
func (r Response) Write(w http.ResponseWriter) {
	header := w.Header()
	header.Set("Content-Type", r.ContentType)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body) // the client may be gone
}
