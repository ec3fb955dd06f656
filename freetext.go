package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// A card number in free text is refused, since the text is signed and sent back as it is and cannot be masked
// (decision ba). What is left out may well hold such digits: numbers of orders and phones, names of records,
// identifiers of accounts, URLs.

// freeTexts are those of an S2S request.
func freeTexts(c *ChargeRequest) []fields.Text {
	list := []fields.Text{{Name: "order_description", Value: c.Order.Description}, {Name: "crypto_network", Value: c.CryptoNetwork}}
	list = append(list, personTexts("payer_", &c.Payer)...)
	if c.Payee != nil {
		list = append(list, personTexts("payee_", c.Payee)...)
	}
	return append(list, otherTexts(c)...)
}

func personTexts(prefix string, p *store.Payer) []fields.Text {
	a := &p.Address
	return []fields.Text{
		{Name: prefix + "email", Value: p.Email}, {Name: prefix + "city", Value: a.City}, {Name: prefix + "district", Value: a.District},
		{Name: prefix + "address", Value: a.Address}, {Name: prefix + "house_number", Value: a.HouseNumber}, {Name: prefix + "zip", Value: a.Zip},
	}
}

// otherTexts are those of a charge for which a session has no row.
func otherTexts(c *ChargeRequest) []fields.Text {
	target := "return_url_target"
	if c.Protocol == store.S2SCard {
		target = "term_url_target"
	}
	list := []fields.Text{{Name: "payer_language", Value: c.Language}, {Name: "payer_present", Value: c.PayerPresent}, {Name: target, Value: c.ReturnTarget}}
	list = append(list, partTexts("payer_", &c.Payer)...)
	if c.Payee != nil {
		list = append(list, partTexts("payee_", c.Payee)...)
	}
	return list
}

func partTexts(prefix string, p *store.Payer) []fields.Text {
	return []fields.Text{
		{Name: prefix + "first_name", Value: p.FirstName}, {Name: prefix + "middle_name", Value: p.MiddleName}, {Name: prefix + "last_name", Value: p.LastName},
		{Name: prefix + "state", Value: p.Address.State}, {Name: prefix + "address2", Value: p.Address.Address2},
	}
}
