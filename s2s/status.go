package s2s

import (
	"cmp"
	"context"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// status answers GET_TRANS_STATUS and GET_TRANS_STATUS_BY_ORDER.
func status(ctx context.Context, c *call) (body, error) {
	p, list, err := c.lookup(ctx)
	if err != nil {
		return nil, err
	}
	body := append(c.identity(p), outcomeOf(p)...)
	return append(body.present(), c.additions(p, list)...), nil
}

// details answers GET_TRANS_DETAILS.
func details(ctx context.Context, c *call) (body, error) {
	p, list, err := c.lookup(ctx)
	if err != nil {
		return nil, err
	}
	body := append(c.identity(p), object{
		{"name", p.Payer.FullName()}, {"mail", p.Payer.Email}, {"ip", p.Payer.IP},
		{"amount", amountOf(p, charged(p, list))}, {"currency", p.Order.Currency}, {"card", maskOf(p)},
	}...)
	body = append(append(body, outcomeOf(p)...), member{"pan_type", walletOf(p).PANType})
	for _, addition := range c.additions(p, list) {
		if addition.name != "card" {
			body = append(body, addition)
		}
	}
	return append(body.present(), member{"transactions", transactions(p, list)}), nil
}

// lookup returns the payment of a lookup, and its transactions at the same moment.
func (c *call) lookup(ctx context.Context) (p *store.Payment, list []store.Transaction, err error) {
	if p, err = c.client.Current(ctx, c.payment); err != nil {
		return nil, nil, err
	}
	for _, t := range p.Transactions {
		list = append(list, *t)
	}
	return p, list, nil
}

// identity returns the members at the beginning of a lookup's answer.
func (c *call) identity(p *store.Payment) object {
	return c.done(member{"status", c.statusOf(p)}, member{"order_id", p.Order.Number}, member{"trans_id", p.ID})
}

// statusOf returns the status of a payment. For an ips payment that is not paid yet the bank reports pending,
// which GET_TRANS_STATUS maps to PENDING, for this brand alone (SPEC2, ips; decision by).
func (c *call) statusOf(p *store.Payment) string {
	if p.Method == "ips" && p.Status == store.Redirected {
		return string(store.Pending)
	}
	return string(p.Status)
}

// outcomeOf returns what a lookup reports about a payment: why it was declined, the token of the chain it began.
func outcomeOf(p *store.Payment) object {
	var reason, token string
	if p.Status == store.Declined {
		reason = p.Reason
	}
	if p.RecurringInit {
		token = p.ChainToken()
	}
	return object{
		{"decline_reason", reason}, {"recurring_token", token}, {"schedule_id", p.ScheduleID},
		{"first_recurring_date", p.FirstRecurring},
		{"digital_wallet", walletOf(p).Wallet},
	}
}

// present returns the object without members that have no value.
func (o object) present() object {
	var kept object
	for _, m := range o {
		if m.value != "" {
			kept = append(kept, m)
		}
	}
	return kept
}

// additions returns what the merchant's Protocol Mapping adds to a status answer. Extended data is for callbacks
// (CARD562); only the status of S2S APM has it too (s2s_apm.md, GET_TRANS_STATUS).
func (c *call) additions(p *store.Payment, list []store.Transaction) (added object) {
	for _, field := range c.client.Additions(p, charged(p, list)) {
		name := field.Name
		if name == "ARN" && protocolOf(p) == store.S2SAPM {
			name = "arn" // as on its page of the newest documentation
		}
		added = append(added, member{name, field.Value})
	}
	if extras := c.client.Extras(p, charged(p, list)); len(extras) > 0 {
		var data object
		for _, extra := range extras {
			data = append(data, member{extra.Name, extra.Value})
		}
		added = append(added, member{"extended_data", data})
	}
	return added
}

// charged returns the transaction that captures or holds the money.
func charged(p *store.Payment, list []store.Transaction) *store.Transaction {
	for i := range list {
		if list[i].ID == p.ChargeID() {
			return &list[i]
		}
	}
	return &store.Transaction{}
}

func maskOf(p *store.Payment) string {
	if p.Card == nil {
		return ""
	}
	return p.Card.Mask
}

// transactions returns the records of a payment: a sale with 3-D Secure has a record of its own for that before it
// (lifecycle.md, "Transaction records").
func transactions(p *store.Payment, list []store.Transaction) []any {
	entries := []any{}
	for i := range list {
		t := &list[i]
		if atIssuer(p, t) {
			entries = append(entries, entry(p, t, "3DS", secured(t)))
		}
		entries = append(entries, entry(p, t, string(t.Operation), verdict(t.Outcome)))
	}
	return entries
}

// atIssuer reports whether the payer of a transaction is, or was, at the issuer. A 3-D Secure that was done
// elsewhere does not count.
func atIssuer(p *store.Payment, t *store.Transaction) bool {
	waits := p.Status == store.ThreeDS && t.ID == p.ChargeID()
	return waits || t.Facts.ThreeDS != (store.ThreeDSFacts{}) && t.Authentication != string(methods.AuthExternal)
}

// entry returns one record, without an amount that the payer still has to choose.
func entry(p *store.Payment, t *store.Transaction, kind, status string) object {
	amount := p.AmountText(t.Amount)
	if t.AmountOpen {
		amount = ""
	}
	return object{{"type", kind}, {"status", status}, {"date", date(t.CreatedAt)}, {"amount", amount}}.present()
}

// verdict returns the status of a transaction, in lower case.
func verdict(o store.Outcome) string {
	if o.Final() {
		return string(o)
	}
	return "waiting"
}

// secured returns the status of 3-D Secure: the issuer's, or else the sale's.
func secured(t *store.Transaction) string {
	return cmp.Or(map[string]string{"Y": "success", "A": "success", "N": "fail", "R": "fail"}[t.Facts.ThreeDS.TransStatus],
		verdict(t.Outcome))
}
