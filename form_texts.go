package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// freeTexts are those of an S2S request.
func freeTexts(c *ChargeRequest) []fields.Text {
	list := []fields.Text{{Name: "order_description", Value: c.Order.Description},
		{Name: "crypto_network", Value: c.CryptoNetwork}}
	list = append(list, personTexts("payer_", &c.Payer)...)
	if c.Payee != nil {
		list = append(list, personTexts("payee_", c.Payee)...)
	}
	return append(list, otherTexts(c)...)
}

func personTexts(prefix string, p *store.Payer) []fields.Text {
	a := &p.Address
	return []fields.Text{
		{Name: prefix + "email", Value: p.Email}, {Name: prefix + "city", Value: a.City},
		{Name: prefix + "district", Value: a.District},
		{Name: prefix + "address", Value: a.Address}, {Name: prefix + "house_number", Value: a.HouseNumber},
		{Name: prefix + "zip", Value: a.Zip},
	}
}

// otherTexts are those of a charge for which a session has no row.
func otherTexts(c *ChargeRequest) []fields.Text {
	target := "return_url_target"
	if c.Protocol == store.S2SCard {
		target = "term_url_target"
	}
	list := []fields.Text{{Name: "payer_language", Value: c.Language}, {Name: "payer_present", Value: c.PayerPresent},
		{Name: target, Value: c.ReturnTarget}}
	list = append(list, partTexts("payer_", &c.Payer)...)
	if c.Payee != nil {
		list = append(list, partTexts("payee_", c.Payee)...)
	}
	return list
}

func partTexts(prefix string, p *store.Payer) []fields.Text {
	return []fields.Text{
		{Name: prefix + "first_name", Value: p.FirstName}, {Name: prefix + "middle_name", Value: p.MiddleName},
		{Name: prefix + "last_name", Value: p.LastName},
		{Name: prefix + "state", Value: p.Address.State}, {Name: prefix + "address2", Value: p.Address.Address2},
	}
}

// lines are all fields of an S2S request that are a line of text.
func lines(c *ChargeRequest) []fields.Text {
	list := append(freeTexts(c), fields.Text{Name: "order_id", Value: c.Order.Number},
		fields.Text{Name: "channel_id", Value: c.ChannelID}, fields.Text{Name: "identifier", Value: c.Identifier},
		fields.Text{Name: "schedule_id", Value: c.ScheduleID}, fields.Text{Name: "brand", Value: c.Method})
	for _, p := range c.people() {
		list = append(list, fields.Text{Name: p.prefix + "phone", Value: p.Address.Phone},
			fields.Text{Name: p.prefix + "phone_country_code", Value: p.Address.PhoneCountryCode})
	}
	return list
}

// otherLines are those of a charge for which a session has no row.
func otherLines(c *ChargeRequest) []fields.Text {
	list := []fields.Text{{Name: "payer_language", Value: c.Language}, {Name: "payer_present", Value: c.PayerPresent},
		{Name: "return_url_target", Value: c.ReturnTarget}, {Name: "identifier", Value: c.Identifier}}
	for _, p := range c.people() {
		list = append(list, fields.Text{Name: p.prefix + "address2", Value: p.Address.Address2})
	}
	return list
}

// stateFaults are the states that are none of their country (decision bj).
func stateFaults(c *ChargeRequest) (faults []refusal.Fault) {
	for _, p := range c.people() {
		if state := fields.StateOf(p.Address); state != "" && !fields.IsState(p.Address.Country, state) {
			faults = append(faults, refusal.Fault{Path: p.prefix + "state", Text: fields.TextState})
		}
	}
	return faults
}
