package s2sclient

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Payment is what a merchant keeps of a payment: the follow-up formulas and the callbacks need it.
type Payment struct {
	Protocol         Protocol
	Action           string // that created it
	TransID, OrderID string
	Email            string // of the first payment, for a recurring one
	Card             string // number; "" when a wallet token or no card paid
	Expiry           string // MM/YYYY
	Amount, Currency string // as sent
	Wallet           string // digital_wallet as sent
	Crypto           bool   // a crypto SALE
	Sent             Fields // the request that created it
}

// card is a number with its expiry, MM/YYYY.
type card struct{ number, expiry string }

// memory holds the payments of a client. The newest payment of an order wins.
type memory struct {
	payments []Payment
	tokens   map[string]card
	chains   map[string]Payment // by recurring token
}

func (m *memory) byTrans(id string) (Payment, bool) {
	return m.newest(func(p Payment) bool { return id != "" && p.TransID == id })
}

func (m *memory) byOrder(id string) (Payment, bool) {
	return m.newest(func(p Payment) bool { return id != "" && p.OrderID == id })
}

func (m *memory) newest(fits func(Payment) bool) (Payment, bool) {
	for _, p := range slices.Backward(m.payments) {
		if fits(p) {
			return p, true
		}
	}
	return Payment{}, false
}

// put replaces what is known under the same trans_id, or else what was begun under the same order.
func (m *memory) put(p Payment) {
	i := slices.IndexFunc(m.payments, func(q Payment) bool { return q.TransID == p.TransID && q.TransID != "" })
	if i < 0 {
		i = slices.IndexFunc(m.payments, func(q Payment) bool { return q.TransID == "" && q.OrderID == p.OrderID })
	}
	if i < 0 {
		m.payments = append(m.payments, p)
		return
	}
	m.payments[i] = p
}

// drop removes a payment that was begun and refused.
func (m *memory) drop(orderID string) {
	m.payments = slices.DeleteFunc(m.payments, func(p Payment) bool { return p.TransID == "" && p.OrderID == orderID })
}

// learn keeps the tokens that an answer or a callback brings for a payment.
func (m *memory) learn(p Payment, cardToken, recurringToken string) {
	if cardToken != "" && p.Card != "" {
		if m.tokens == nil {
			m.tokens = map[string]card{}
		}
		m.tokens[cardToken] = card{p.Card, p.Expiry}
	}
	if _, known := m.chains[recurringToken]; recurringToken != "" && !known {
		if m.chains == nil {
			m.chains = map[string]Payment{}
		}
		m.chains[recurringToken] = p
	}
}

// subject returns the payment that a request is about: the one that it names, or the one that it begins.
func (m *memory) subject(f Fields, path string) (p Payment, begins bool) {
	if p, found := m.byTrans(f["trans_id"]); found || f["trans_id"] != "" {
		return m.named(p, f, path), false
	}
	if f["action"] == "GET_TRANS_STATUS_BY_ORDER" {
		p, _ := m.byOrder(f["order_id"])
		return m.named(p, f, path), false
	}
	p = m.begun(f)
	p.Protocol = protocolOf(f, path)
	return p, p.OrderID != ""
}

func (m *memory) named(p Payment, f Fields, path string) Payment {
	p.Protocol = cmp.Or(p.Protocol, protocolOf(f, path))
	return p
}

// protocolOf returns a request's protocol if no known payment shows it (decision c).
func protocolOf(f Fields, path string) Protocol {
	if f["brand"] != "" || has(apmOnly, f["action"]) || strings.HasSuffix(path, "/post-va") {
		return APM
	}
	return CARD
}

// begun returns the payment that a request begins, with e-mail and card of the first one if it is recurring.
func (m *memory) begun(f Fields) Payment {
	p := Payment{
		Action: f["action"], OrderID: f["order_id"], Email: f["payer_email"],
		Amount: f["order_amount"], Currency: f["order_currency"], Wallet: f["digital_wallet"],
		Crypto: f["action"] == "SALE" && f["brand"] != "" && (f["crypto_network"] != "" || f["order_amount"] == ""),
		Sent:   maps.Clone(f),
	}
	paying := m.paying(f)
	p.Card, p.Expiry = paying.number, paying.expiry
	first, found := m.byTrans(f["recurring_first_trans_id"])
	if !found && f["recurring_token"] != "" {
		first = m.chains[f["recurring_token"]]
	}
	p.Email = cmp.Or(p.Email, first.Email)
	p.Card = cmp.Or(p.Card, first.Card)
	p.Expiry = cmp.Or(p.Expiry, first.Expiry)
	p.Currency = cmp.Or(p.Currency, first.Currency)
	return p
}

// paying returns the card that pays: the payer's of a transfer, card data before a token.
func (m *memory) paying(f Fields) card {
	for _, prefix := range []string{"payer_card_", "card_"} {
		if number := f[prefix+"number"]; number != "" {
			return card{number, expiry(f[prefix+"exp_month"], f[prefix+"exp_year"])}
		}
	}
	return m.tokens[f["card_token"]]
}

func expiry(month, year string) string {
	if month == "" || year == "" {
		return ""
	}
	return month + "/" + year
}
