package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Request is a request to the API.
type Request struct {
	Method string     // empty: POST with a Body, GET without
	Path   string     // below the URL of the client, with a slash; put what is not constant through url.PathEscape
	Query  url.Values // nothing secret: addresses are logged on the way
	Header http.Header
	Key    string // the idempotency key, for Options.KeyHeader; empty for a question
	// Body is sent as JSON; url.Values as a form, and []byte as it is, with the Content-Type of Header.
	Body any
}

const (
	contentJSON = "application/json"
	contentForm = "application/x-www-form-urlencoded"
)

// build returns the request. An error says nothing of its content.
func (c *Client) build(ctx context.Context, r Request) (*http.Request, error) {
	if !strings.HasPrefix(r.Path, "/") || strings.ContainsAny(r.Path, "?#") {
		return nil, errors.New("the path of the request begins with no slash, or has a query")
	}
	if r.Key != "" && c.options.KeyHeader == "" {
		return nil, errors.New("the request has a key, and Options.KeyHeader does not say where it goes")
	}
	content, body, err := encode(r.Body)
	if err != nil {
		return nil, err
	}
	target := c.base + r.Path
	if len(r.Query) > 0 {
		target += "?" + r.Query.Encode()
	}
	out, err := http.NewRequestWithContext(ctx, r.method(), target, body)
	if err != nil {
		return nil, errors.New("the request has a method or a path that cannot be sent")
	}
	out.Header.Set("Accept", contentJSON)
	if content != "" {
		out.Header.Set("Content-Type", content)
	}
	for name, values := range r.Header {
		out.Header[unseen(name)] = values
	}
	if r.Key != "" {
		out.Header[unseen(c.options.KeyHeader)] = []string{r.Key}
	}
	return out, nil
}

// unseen returns the name of a header as it is sent. Package net/http repeats a POST by itself, on a connection that
// breaks, if it sees one of the names Idempotency-Key and X-Idempotency-Key. The gateway decides what is sent again. It
// does not see them in small letters, which are the same to HTTP.
func unseen(name string) string {
	switch name = http.CanonicalHeaderKey(name); name {
	case "Idempotency-Key", "X-Idempotency-Key":
		return strings.ToLower(name)
	}
	return name
}

func (r *Request) method() string {
	switch {
	case r.Method != "":
		return r.Method
	case r.Body != nil:
		return http.MethodPost
	}
	return http.MethodGet
}

func encode(body any) (content string, out io.Reader, err error) {
	switch b := body.(type) {
	case nil:
		return "", nil, nil
	case []byte:
		return "", bytes.NewReader(b), nil
	case url.Values:
		return contentForm, strings.NewReader(b.Encode()), nil
	}
	text, err := json.Marshal(body)
	if err != nil {
		return "", nil, errors.New("the body of the request cannot be written as JSON")
	}
	return contentJSON, bytes.NewReader(text), nil
}
