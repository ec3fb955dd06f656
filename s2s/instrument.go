package s2s

// instrument is what pays a request of S2S CARD.
type instrument int

// The instruments, in the order in which one wins over the next (s2s_card.md, "Precedence").
const (
	byCard instrument = iota
	byToken
	byWallet
)

// instrument chooses among what was sent: a card number wins over card_token, and that over
// payment_token. With nothing sent a card is missing.
func (c *call) instrument() instrument {
	switch {
	case c.first(c.card().number) != "":
		return byCard
	case c.row.has("card_token") && c.text("card_token") != "":
		return byToken
	case c.row.has("digital_wallet") && (c.text("payment_token") != "" || c.text("digital_wallet") != ""):
		return byWallet
	}
	return byCard
}

// cardNames say where the parts of the payer's card stand. Of several names the first that is sent counts.
type cardNames struct{ number, month, year, code []string }

var (
	plainCard = cardNames{
		number: []string{"card_number"}, month: []string{"card_exp_month"},
		year: []string{"card_exp_year"}, code: []string{"card_cvv2"},
	}
	// transferCard is the decision on CARD2CARD (s2s_card.md).
	transferCard = cardNames{
		number: []string{"payer_card_number", "card_number"}, month: []string{"payer_card_exp_month", "card_exp_month"},
		year: []string{"payer_card_exp_year", "card_exp_year"}, code: []string{"payer_card_cvv", "payer_card_cvv2", "card_cvv2"},
	}
)

func (c *call) card() *cardNames {
	if c.row.card == nil {
		return &plainCard
	}
	return c.row.card
}

// first is the value of the first name that was sent.
func (c *call) first(names []string) string {
	for _, name := range names {
		if value := c.text(name); value != "" {
			return value
		}
	}
	return ""
}

// moto reports a payment by phone or mail, where nobody sees the code on the card (decision t).
func (c *call) moto() bool {
	kind := c.text("moto_type")
	return c.row.has("moto_type") && kind != "" && kind != "ecommerce"
}

// holds reports an authorization: AUTH, or auth when it is exactly Y (decision b).
func (c *call) holds() bool {
	return c.row.name == "AUTH" || c.row.has("auth") && c.text("auth") == "Y"
}
