package reference

import (
	"github.com/tollgatepay/gateway/internal/envelope"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/s2s"
)

// Errors is the page of every refusal.
func Errors() string {
	w := &page{}
	w.line("<!-- Written by go generate ./internal/reference. Do not edit. -->\n")
	w.line("# Errors\n")
	sample := refusal.ErrInvalid.Fields(refusal.Fault{Path: "order.amount", Text: fields.TextPositive})
	w.line("%s\n", wrapped(refusalsSay))
	w.line("```json\n%s\n```\n\nand S2S\n\n```json\n%s\n```\n", envelope.Fail(sample).Body, s2s.Refused(sample))
	plain := refusal.ErrRefund
	w.line("%s\n", wrapped(faultsSay))
	w.line("```json\n%s\n```\n\n```json\n%s\n```\n", envelope.Fail(plain).Body, s2s.Refused(plain))
	w.line("%s\n", wrapped(codesSay))
	w.line("| Code | HTTP | Message | When | Since |\n|--:|--:|---|---|---|")
	for _, row := range refusal.Catalogue() {
		e := row.Error
		w.line("| %d | %d | %s | %s | %s |", e.Code(), e.Status(), e.Error(), row.When, e.Since())
	}
	w.line("\nS2S alone:\n\n| Code | HTTP | Message | Since |\n|--:|--:|---|---|")
	for _, e := range s2s.Refusals() {
		w.line("| %d | %d | %s | %s |", e.Code(), e.Status(), e.Message(), e.Since())
	}
	return w.text.String()
}
