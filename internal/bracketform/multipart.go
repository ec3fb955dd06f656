package bracketform

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"strings"

	"github.com/tollgatepay/gateway/internal/fault"
)

// maxBoundary is the length of the longest boundary (RFC 2046, section 5.1.1).
const maxBoundary = 70

// ParseMultipart reads a body of type multipart/form-data whose parts are separated by boundary, the parameter of
// the Content-Type. The same fields give the same form as urlencoded. A part that has a file name, even an empty
// one, is a fault, and so are transfer encodings other than 7bit, 8bit and binary.
func ParseMultipart(body []byte, boundary string, limits Limits) (Form, Faults) {
	b := newBuilder(limits.checked(), 0)
	switch {
	case len(body) > b.limits.MaxBytes:
		b.stop(fault.Size(b.limits.MaxBytes))
	case boundary == "" || len(boundary) > maxBoundary:
		b.stop(textMultipart)
	default:
		b.parts(multipart.NewReader(whole(body), boundary))
	}
	return b.result()
}

// errCut is the end of a body whose last boundary is missing.
var errCut = errors.New("bracketform: the body was cut off")

// whole reads a body that must not end early. The reader of the standard library accepts a body that was cut off in
// the header of a part; here it gets an error instead. The line end is for clients that send none after the last
// boundary.
func whole(body []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(body), strings.NewReader("\r\n"), cut{})
}

type cut struct{}

func (cut) Read([]byte) (int, error) { return 0, errCut }

func (b *builder) parts(from *multipart.Reader) {
	var content bytes.Buffer
	for {
		part, err := from.NextRawPart()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			b.stop(textMultipart)
			return
		}
		content.Reset()
		if _, err := content.ReadFrom(part); err != nil {
			b.stop(textMultipart)
			return
		}
		if !b.part(part, content.String()) {
			return
		}
	}
}

func (b *builder) part(part *multipart.Part, value string) bool {
	dispositions := part.Header["Content-Disposition"]
	if len(dispositions) != 1 {
		return b.stop(textMultipart)
	}
	kind, params, err := mime.ParseMediaType(dispositions[0])
	name, named := params["name"]
	if err != nil || kind != "form-data" || !named {
		return b.stop(textMultipart)
	}
	return b.pair(name, textFault(name), value, partFault(part, params, value))
}

func partFault(part *multipart.Part, params map[string]string, value string) string {
	if _, isFile := params["filename"]; isFile {
		return textFile
	}
	switch strings.ToLower(part.Header.Get("Content-Transfer-Encoding")) {
	case "", "7bit", "8bit", "binary":
		return textFault(value)
	}
	return textTransfer
}
