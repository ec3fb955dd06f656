package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// expected refuses a charge or an update of another amount or currency than the merchant's backend thinks it is
// about: the token is in the payer's hands, and who holds it can change the session. Mapping.RequireExpected has the
// amount told each time.
func expected(s *store.Session, p *merchant.Profile, r *SessionRequest, amount, currency string) (faults []refusal.Fault) {
	if currency != "" && currency != s.Order.Currency {
		faults = append(faults, refusal.Fault{Path: "expected_currency", Text: "the session is in another currency"})
	}
	switch {
	case amount == "" && p.Mapping(store.Checkout).RequireExpected && !r.malformed("expected_amount"):
		return append(faults, refusal.Fault{Path: "expected_amount", Text: fields.TextBlank})
	case amount == "":
		return faults
	}
	asked, err := store.ParseAmount(amount)
	stands, _ := store.ParseAmount(s.Order.Amount)
	if err != nil || asked.Cmp(stands) != 0 {
		faults = append(faults, refusal.Fault{Path: "expected_amount", Text: "the session is about another amount"})
	}
	return faults
}
