package s2s

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/envelope"
)

// Errors of S2S that the gateway's catalogue does not have: errors.md, "Envelopes", and the not-found rows of
// SPEC1, Errors.
var (
	errRoute       = &gateway.Error{Code: 0, Status: 404, Message: "Route or parameters is not supported"}
	errHash        = &gateway.Error{Code: 100000, Status: 400, Message: "Hash is not valid"}
	errTransaction = &gateway.Error{Code: 101000, Status: 400, Message: "Transaction does not exist."}
	errOrder       = &gateway.Error{Code: 101000, Status: 400, Message: "Order does not exist."}
	errPayment     = &gateway.Error{Code: 100000, Status: 400, Message: "Payment not found."}
	errSchedule    = &gateway.Error{Code: 100000, Status: 400, Message: "Schedule not found"}
	errChain       = &gateway.Error{Code: 100000, Status: 400, Message: "Incorrect transaction"}
)

const contentType = "application/json; charset=utf-8"

func ok200(body object) envelope.Response {
	return envelope.Response{Status: 200, ContentType: contentType, Body: body.encode()}
}

func notFound() envelope.Response { return fail(errRoute) }

// fail returns the envelope of errors.md. errors is always present: clients read its first entry before they look
// at the top.
func fail(e *gateway.Error) envelope.Response {
	entries := make([]any, len(e.Faults))
	for i, fault := range e.Faults {
		entries[i] = object{{"error_code", e.Code}, {"error_message", fault.String()}}
	}
	body := object{{"result", "ERROR"}, {"error_code", e.Code}, {"error_message", e.Message}, {"errors", entries}}
	return envelope.Response{Status: e.Status, ContentType: contentType, Body: body.encode()}
}
