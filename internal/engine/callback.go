package engine

import (
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/store"
)

// public is the payment as callbacks tell it: the token of a chain that it begins only once it is taken.
func (s *Settlement) public() *store.Payment {
	if !records.BeginsChain(s.Payment) || s.Payment.Taken() {
		return s.Payment
	}
	p := *s.Payment
	p.RecurringToken, p.RecurringInitID = "", ""
	return &p
}

// callbackType is what Checkout calls the row: the later payments of a chain are recurring.
func (s *Settlement) callbackType(row state.Row) string {
	if s.Payment.RecurringInitID != "" && s.Payment.RecurringInitID != s.Payment.ID && (row.Type == "sale" || row.Type == "debit") {
		return "recurring"
	}
	return row.Type
}
