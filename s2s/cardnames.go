package s2s

// cardNames are the names of the payer's card fields. Of several names the first that was sent counts.
type cardNames struct{ number, month, year, code []string }

var (
	plainCard = cardNames{
		number: []string{"card_number"}, month: []string{"card_exp_month"},
		year: []string{"card_exp_year"}, code: []string{"card_cvv2"},
	}
	// transferCard is the decision on CARD2CARD (s2s_card.md).
	transferCard = cardNames{
		number: []string{"payer_card_number", "card_number"}, month: []string{"payer_card_exp_month", "card_exp_month"},
		year: []string{"payer_card_exp_year", "card_exp_year"},
		code: []string{"payer_card_cvv", "payer_card_cvv2", "card_cvv2"},
	}
)
