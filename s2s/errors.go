package s2s

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/envelope"
	"github.com/tollgatepay/gateway/refusal"
)

// Errors of S2S that the gateway's catalogue does not have: errors.md, "Envelopes", and the not-found rows of
// SPEC1, Errors.
var (
	errRoute       = refusal.New(refusal.NotFound, 0, 404, "Route or parameters is not supported")
	errHash        = refusal.New(refusal.Invalid, 100000, 400, "Hash is not valid")
	errTransaction = refusal.New(refusal.NotFound, 101000, 400, "Transaction does not exist.")
	errOrder       = refusal.New(refusal.NotFound, 101000, 400, "Order does not exist.")
	errPayment     = refusal.New(refusal.NotFound, 100000, 400, "Payment not found.")
	errSchedule    = refusal.New(refusal.NotFound, 100000, 400, "Schedule not found")
	errChain       = refusal.New(refusal.NotFound, 100000, 400, "Incorrect transaction")
)

const contentType = "application/json; charset=utf-8"

func ok200(b body) envelope.Response {
	return envelope.Response{Status: 200, ContentType: contentType, Body: b.encode()}
}

func notFound() envelope.Response { return fail(errRoute) }

// fail returns the envelope of errors.md. errors is always present: clients read its first entry before they look
// at the top.
func fail(e *gateway.Error) envelope.Response {
	entries := make([]any, len(e.Faults()))
	for i, fault := range e.Faults() {
		entries[i] = object{{"error_code", e.Code()}, {"error_message", fault.String()}}
	}
	body := object{{"result", "ERROR"}, {"error_code", e.Code()}, {"error_message", e.Message()}, {"errors", entries}}
	return envelope.Response{Status: e.Status(), ContentType: contentType, Body: body.encode()}
}
