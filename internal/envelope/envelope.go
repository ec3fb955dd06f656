// Package envelope writes the answers of the JSON protocols: a body, or the error envelope of errors.md.
package envelope

import (
	"bytes"
	"encoding/json"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/refusal"
)

// Response is an answer, independent of the transport.
type Response struct {
	Status      int
	ContentType string
	Body        []byte
}

const contentType = "application/json; charset=utf-8"

// entry is one line of errors[].
type entry struct {
	Code    int    `json:"error_code"`
	Message string `json:"error_message"`
}

// failure is the body of every refusal. errors is always there: clients read its first entry before they look at
// the top.
type failure struct {
	Code    int     `json:"error_code"`
	Message string  `json:"error_message"`
	Errors  []entry `json:"errors"`
}

// OK answers 200 with a body.
func OK(body any) Response {
	text, err := encode(body)
	if err != nil {
		return Fail(err)
	}
	return Response{200, contentType, text}
}

// Fail answers an error (decision an). An error outside the catalogue is an internal error without details.
func Fail(err error) Response {
	e := gateway.AsError(err)
	body := failureOf(e)
	text, err := encode(body)
	if err != nil { // strings and numbers always encode
		return Response{500, contentType, []byte(`{}`)}
	}
	return Response{e.Status(), contentType, text}
}

// failureOf returns the body of a refusal. Code 100000, above all a form with its faults, is in the entries, under
// code 0 and the message of a wrong request; any other code is both at the top and in an entry. An unknown path has
// no entries.
func failureOf(e *gateway.Error) failure {
	invalid := gateway.ErrInvalid
	switch {
	case len(e.Faults()) > 0:
		body := failure{Message: e.Message()}
		for _, fault := range e.Faults() {
			body.Errors = append(body.Errors, entry{e.Code(), fault.String()})
		}
		return body
	case e.Code() == invalid.Code() && e.Status() == invalid.Status():
		return failure{Message: invalid.Message(), Errors: []entry{{e.Code(), e.Message()}}}
	case e.Code() == 0:
		return failure{Message: e.Message(), Errors: []entry{}}
	}
	return failure{Code: e.Code(), Message: e.Message(), Errors: []entry{{e.Code(), e.Message()}}}
}

// NotFound answers an unknown path (errors.md, "Envelopes").
func NotFound() Response {
	return Fail(refusal.New(refusal.NotFound, 0, 404, "Route or parameters is not supported"))
}

func encode(body any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(body)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
