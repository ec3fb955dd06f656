package gateway

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tollgatepay/gateway/store"
)

// payoutExpiry takes the expiry of a payee's card from the parameters, where the request has none of its own (SPEC2,
// "Payee card expiry (CREDIT2CARD)"; decision bs). What is not in its format is left for the rules of the set to name.
func (c *charge) payoutExpiry() {
	if c.Payment.Kind != store.Credit || c.card == nil || c.card.Expiry != (store.Expiry{}) {
		return
	}
	sent, _ := sentParameters(c.sent)
	text := textParameter(sent, "expiry")
	if month, year := textParameter(sent, "card_exp_month"), textParameter(sent, "card_exp_year"); month != "" && year != "" {
		text = month + "/" + year
	}
	var month, year int
	_, err := fmt.Sscanf(text, "%2d/%4d", &month, &year)
	if err != nil || text != fmt.Sprintf("%02d/%04d", month, year) || month < 1 || month > 12 {
		return
	}
	card := *c.card // the caller's own stays as it is
	card.Expiry = store.Expiry{Month: month, Year: year}
	c.card = &card
}

// textParameter is the text of a single parameter.
func textParameter(sent map[string]any, name string) string {
	switch value := sent[name].(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	case bool:
		return strconv.FormatBool(value)
	}
	return ""
}
