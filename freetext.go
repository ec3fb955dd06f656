package gateway

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A card number in free text is refused, since the text is signed and sent back as it is and cannot be masked
// (decision ba). What is left out may well hold such digits: numbers of orders and phones, names of records,
// identifiers of accounts, URLs.

// text is a field that takes any text, by its name on S2S.
type text struct{ name, value string }

// cardsIn names the texts with a card number in them.
func cardsIn(texts []text) (faults []refusal.Fault) {
	for _, t := range texts {
		if store.HoldsPAN(t.value) {
			faults = append(faults, refusal.Fault{Path: t.name, Text: textCard})
		}
	}
	return faults
}

// freeTexts are those of an S2S request.
func freeTexts(c *ChargeRequest) []text {
	list := []text{{"order_description", c.Order.Description}, {"crypto_network", c.CryptoNetwork}}
	list = append(list, personTexts("payer_", &c.Payer)...)
	if c.Payee != nil {
		list = append(list, personTexts("payee_", c.Payee)...)
	}
	return append(list, otherTexts(c)...)
}

func personTexts(prefix string, p *store.Payer) []text {
	a := &p.Address
	return []text{
		{prefix + "email", p.Email}, {prefix + "city", a.City}, {prefix + "district", a.District},
		{prefix + "address", a.Address}, {prefix + "house_number", a.HouseNumber}, {prefix + "zip", a.Zip},
	}
}

// otherTexts are those of a charge for which a session has no row.
func otherTexts(c *ChargeRequest) []text {
	target := "return_url_target"
	if c.Protocol == store.S2SCard {
		target = "term_url_target"
	}
	list := []text{{"payer_language", c.Language}, {"payer_present", c.PayerPresent}, {target, c.ReturnTarget}}
	list = append(list, partTexts("payer_", &c.Payer)...)
	if c.Payee != nil {
		list = append(list, partTexts("payee_", c.Payee)...)
	}
	return list
}

func partTexts(prefix string, p *store.Payer) []text {
	return []text{
		{prefix + "first_name", p.FirstName}, {prefix + "middle_name", p.MiddleName}, {prefix + "last_name", p.LastName},
		{prefix + "state", p.Address.State}, {prefix + "address2", p.Address.Address2},
	}
}

// objectHoldsPAN looks at every name and value of an object, as they are once they are decoded.
func objectHoldsPAN(object json.RawMessage) bool {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return false
		}
		if err != nil { // what is no object was refused before
			return true
		}
		switch value := token.(type) {
		case string:
			if store.HoldsPAN(value) {
				return true
			}
		case json.Number:
			if store.HoldsPAN(value.String()) {
				return true
			}
		}
	}
}

// withoutCards leaves out the browser attributes that hold a card number. They are what a browser sends of
// itself, and no reason to refuse its payer.
func withoutCards(browser map[string]string) map[string]string {
	var kept map[string]string
	for name, value := range browser {
		if store.HoldsPAN(value) {
			continue
		}
		if kept == nil {
			kept = make(map[string]string, len(browser))
		}
		kept[name] = value
	}
	return kept
}
