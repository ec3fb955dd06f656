package s2sclient

import (
	"crypto/subtle"
	"strings"
)

// examine finds the payment of a callback, verifies its signature and compares it with the documents.
func (c *Client) examine(callback *Callback) []string {
	var f findings
	f.body(callback.Fields)
	p, found := c.match(callback)
	if !found {
		f.add("nothing is known of the payment, order_id %q", callback.Text("order_id"))
		return f
	}
	callback.Payment = p
	callback.Formula = CallbackFormula(p.Protocol, callback.Text("action"), p.Crypto && c.CryptoByEmail)
	if !c.genuine(callback) {
		f.add("hash is not that of formula %s", callback.Formula)
	}
	f.callback(callback, p)
	return f
}

// genuine verifies the signature. Callbacks are upper-cased in ASCII only and have the password as it is.
func (c *Client) genuine(callback *Callback) bool {
	p := callback.Payment
	want := callback.Formula.Digest(Inputs{
		Email: p.Email, Card: p.Card, TransID: callback.Text("trans_id"), OrderID: callback.Text("order_id"),
		Status: callback.Text("status"), Body: callback.Fields, Password: c.Password, SHA256: c.SHA256,
	})
	return want != "" && subtle.ConstantTimeCompare([]byte(want), []byte(callback.Text("hash"))) == 1
}

// match finds the payment of a callback: by trans_id, by order_id (the callback may come before the
// answer, and a cascade may change trans_id), or by the chain of a payment that a schedule began.
func (c *Client) match(callback *Callback) (Payment, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := callback.Text("trans_id")
	p, found := c.memory.byTrans(id)
	if !found {
		p, found = c.memory.byOrder(callback.Text("order_id"))
		if !found {
			p, found = c.memory.chains[callback.Text("recurring_token")]
		}
		if !found {
			return Payment{}, false
		}
		if p.TransID != "" { // another payment of the same card and e-mail
			p.Amount, p.Sent = "", nil
			p.Action, p.OrderID = callback.Text("action"), callback.Text("order_id")
		}
		p.TransID = id
	}
	p.Crypto = p.Crypto || p.Action == "SALE" && p.Protocol == APM &&
		(callback.Text("result") == "INIT" || callback.Text("crypto_address") != "")
	if id != "" {
		c.memory.put(p)
	}
	c.memory.learn(p, callback.Text("card_token"), callback.Text("recurring_token"))
	return p, true
}

func (f *findings) callback(callback *Callback, p Payment) {
	action, result := callback.Text("action"), callback.Text("result")
	s, found := find(callbacks, p.Protocol, action, result)
	if !found {
		f.add("no %s callback %s with result %q is documented", p.Protocol, action, result)
		return
	}
	if p.Crypto && p.Amount == "" {
		s = s.without("amount")
	}
	if p.Card != "" && p.Protocol == CARD && result == "SUCCESS" && has("SALE RECURRING_SALE", action) {
		s.fields += " card card_expiration_date"
	}
	f.shape(callback, s, "action result hash "+mapped)
	f.formats(callback)
	f.echoes(callback, p)
	f.held(callback, p)
	f.total(callback)
	f.custom(callback, p)
	f.suits(callback, p)
	if !has("CAPTURE CREDITVOID CHARGEBACK", action) { // these may be about a part
		f.amount(callback, p.Amount)
	}
}

// suits checks that the action of a callback fits the payment.
func (f *findings) suits(callback *Callback, p Payment) {
	action := callback.Text("action")
	want := p.Action
	switch p.Action {
	case "AUTH":
		want = "SALE"
	case "DEBIT2VIRTUAL_CALC":
		want = "DEBIT2VIRTUAL_CALC DEBIT2VIRTUAL"
	case "RECURRING_SALE":
		want = "RECURRING_SALE RETRY"
	}
	if p.Action != "" && !has("CAPTURE CREDITVOID VOID CHARGEBACK "+want, action) {
		f.add("action %s about a payment made by %s", action, p.Action)
	}
	if debit := strings.HasSuffix(p.Action,
		"DEBIT"); action == "CREDITVOID" && debit && callback.Text("status") == "REFUND" {
		f.add("a debit was refunded, not reversed")
	}
}

// custom checks that custom_data is what was sent.
func (f *findings) custom(callback *Callback, p Payment) {
	sent, got := map[string]string{}, map[string]string{}
	for name, value := range p.Sent {
		if path(name)[0] == "custom_data" && value != "" {
			sent[name] = value
		}
	}
	for _, pair := range callback.Fields {
		if path(pair.Name)[0] == "custom_data" {
			got[pair.Name] = pair.Value
		}
	}
	own := has("SALE RECURRING_SALE", callback.Text("action"))
	if len(sent) == 0 || len(got) == 0 && !own {
		return
	}
	for name, value := range sent {
		if got[name] != value {
			f.add("%s is %q, sent was %q", name, got[name], value)
		}
	}
	for name := range got {
		if _, ok := sent[name]; !ok {
			f.add("%s was not sent", name)
		}
	}
}
