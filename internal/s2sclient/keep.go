package s2sclient

import "net/http"

// begin records a payment before it is sent, because its first callback may come before its answer.
func (c *Client) begin(sent Fields) (p Payment, begins bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, begins = c.memory.subject(sent, c.path())
	if begins {
		p.Crypto = p.Crypto || p.Action == "SALE" && has(c.CryptoBrands, sent["brand"])
		if _, used := c.memory.byOrder(p.OrderID); !used {
			c.memory.put(p)
		}
	}
	return p, begins
}

// keep records what an answer says of its payment. A refused request leaves what was known.
func (c *Client) keep(a *Answer, begins bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := a.TransID()
	if a.HTTP != http.StatusOK || id == "" {
		if begins {
			c.memory.drop(a.Payment.OrderID)
		}
		return
	}
	if begins {
		a.Payment.TransID = id
		known, _ := c.memory.byTrans(id) // a callback may have said more
		a.Payment.Crypto = a.Payment.Crypto || known.Crypto || a.Body.Text("crypto_address") != ""
		c.memory.put(a.Payment)
	}
	c.memory.learn(a.Payment, a.Body.Text("card_token"), a.Body.Text("recurring_token"))
}

// Payment returns what the client knows of a trans_id.
func (c *Client) Payment(transID string) (Payment, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.memory.byTrans(transID)
}

// Remember adds or replaces a payment that the client did not make itself, or knows too little of.
func (c *Client) Remember(p Payment) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memory.put(p)
}

// RememberToken records the card of a card token; expiry is MM/YYYY.
func (c *Client) RememberToken(token, number, expiry string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memory.learn(Payment{Card: number, Expiry: expiry}, token, "")
}
