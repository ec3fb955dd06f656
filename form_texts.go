package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// usualTexts is how many texts a charge with a payer and no payee has at most.
const usualTexts = 32

// freeTexts adds those of an S2S request to a list.
func freeTexts(list []fields.Text, c *ChargeRequest) []fields.Text {
	list = append(list, fields.Text{Name: "order_description", Value: c.Order.Description},
		fields.Text{Name: "crypto_network", Value: c.CryptoNetwork})
	for who, p := range c.people() {
		a := &p.Address
		list = append(list, fields.Text{Of: who, Name: "email", Value: p.Email},
			fields.Text{Of: who, Name: "city", Value: a.City}, fields.Text{Of: who, Name: "district", Value: a.District},
			fields.Text{Of: who, Name: "address", Value: a.Address},
			fields.Text{Of: who, Name: "house_number", Value: a.HouseNumber},
			fields.Text{Of: who, Name: "zip", Value: a.Zip})
	}
	return otherTexts(list, c)
}

// otherTexts adds those of a charge for which a session has no row.
func otherTexts(list []fields.Text, c *ChargeRequest) []fields.Text {
	target := "return_url_target"
	if c.Protocol == store.S2SCard {
		target = "term_url_target"
	}
	list = append(list, fields.Text{Name: "payer_language", Value: c.Language},
		fields.Text{Name: "payer_present", Value: c.PayerPresent}, fields.Text{Name: target, Value: c.ReturnTarget})
	for who, p := range c.people() {
		list = append(list, fields.Text{Of: who, Name: "first_name", Value: p.FirstName},
			fields.Text{Of: who, Name: "middle_name", Value: p.MiddleName},
			fields.Text{Of: who, Name: "last_name", Value: p.LastName},
			fields.Text{Of: who, Name: "state", Value: p.Address.State},
			fields.Text{Of: who, Name: "address2", Value: p.Address.Address2})
	}
	return list
}

// lines adds all fields of an S2S request that are a line of text.
func lines(list []fields.Text, c *ChargeRequest) []fields.Text {
	list = append(freeTexts(list, c), fields.Text{Name: "order_id", Value: c.Order.Number},
		fields.Text{Name: "channel_id", Value: c.ChannelID}, fields.Text{Name: "identifier", Value: c.Identifier},
		fields.Text{Name: "schedule_id", Value: c.ScheduleID}, fields.Text{Name: "brand", Value: c.Method})
	for who, p := range c.people() {
		list = append(list, fields.Text{Of: who, Name: "phone", Value: p.Address.Phone},
			fields.Text{Of: who, Name: "phone_country_code", Value: p.Address.PhoneCountryCode})
	}
	return list
}

// otherLines adds those of a charge for which a session has no row.
func otherLines(list []fields.Text, c *ChargeRequest) []fields.Text {
	list = append(list, fields.Text{Name: "payer_language", Value: c.Language},
		fields.Text{Name: "payer_present", Value: c.PayerPresent},
		fields.Text{Name: "return_url_target", Value: c.ReturnTarget},
		fields.Text{Name: "identifier", Value: c.Identifier})
	for who, p := range c.people() {
		list = append(list, fields.Text{Of: who, Name: "address2", Value: p.Address.Address2})
	}
	return list
}

// stateFaults are the states that are none of their country (decision bj).
func stateFaults(c *ChargeRequest) (faults []refusal.Fault) {
	for who, p := range c.people() {
		if state := fields.StateOf(p.Address); state != "" && !fields.IsState(p.Address.Country, state) {
			faults = append(faults, refusal.Fault{Path: who + "state", Text: fields.TextState})
		}
	}
	return faults
}
