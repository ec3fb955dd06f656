package envelope

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bodylimit"
	"github.com/tollgatepay/gateway/internal/fields"
)

// announced bounds the memory that is reserved for a body by the length that its sender announces.
const announced = 64 << 10

// Read reads a body of at most limit bytes. It returns gateway.ErrInvalid naming body.
func Read(w http.ResponseWriter, r *http.Request, limit int) ([]byte, error) {
	expected := max(0, min(r.ContentLength, int64(limit), announced))
	body, err := readAll(make([]byte, 0, expected+1), bodylimit.Reader(w, r, int64(limit)))
	if err == nil {
		return body, nil
	}
	text := "could not be read to its end"
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		text = fields.TextSize(limit)
	}
	return nil, gateway.ErrInvalid.Fields(gateway.Fault{Path: "body", Text: text})
}

// readAll appends what a reader has to a buffer. The end shows where there is room for one byte more.
func readAll(body []byte, from io.Reader) ([]byte, error) {
	for {
		if len(body) == cap(body) {
			body = slices.Grow(body, bytes.MinRead)
		}
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Write sends the answer. It must not be cached, or taken for another media type.
func (r Response) Write(w http.ResponseWriter) {
	header, values := w.Header(), [...]string{r.ContentType, "no-store", "nosniff"} // in one piece of memory
	header["Content-Type"], header["Cache-Control"] = values[0:1:1], values[1:2:2]
	header["X-Content-Type-Options"] = values[2:3:3]
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body) // the client may be gone
}
