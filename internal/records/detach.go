package records

import "github.com/tollgatepay/gateway/store"

// Detach gives a payment that callers get transactions of its own, which no other reader of its record has. t, one of
// them, takes its place; the others are copied.
func Detach(p *store.Payment, t *store.Transaction) {
	own := make([]*store.Transaction, len(p.Transactions))
	for i, one := range p.Transactions {
		if one.ID == t.ID {
			own[i] = t
		} else {
			own[i] = new(*one)
		}
	}
	p.Transactions = own
}
