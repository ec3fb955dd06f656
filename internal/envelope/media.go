package envelope

import (
	"mime"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/fields"
)

// JSON refuses a body whose headers say that it is no plain JSON.
func JSON(contentType, contentEncoding string) error {
	if !isJSON(contentType) {
		return gateway.ErrInvalid.Fields(gateway.Fault{Path: "Content-Type", Text: fields.TextJSON})
	}
	return Plain(contentEncoding)
}

// Plain refuses a body that is compressed.
func Plain(contentEncoding string) error {
	if contentEncoding != "" && contentEncoding != "identity" {
		return gateway.ErrInvalid.Fields(gateway.Fault{Path: "Content-Encoding", Text: "bodies must not be compressed"})
	}
	return nil
}

func isJSON(contentType string) bool {
	const want = "application/json"
	if contentType == want { // what most clients send
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == want
}
