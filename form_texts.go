package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// usualTexts is the largest number of texts of a charge with a payer and no payee.
const usualTexts = 32

func text(of, name, value string) fields.Text { return fields.Text{Of: of, Name: name, Value: value} }

// freeTexts adds the free texts of an S2S request to a list.
func freeTexts(list []fields.Text, c *ChargeRequest) []fields.Text {
	list = append(list, text("", "order_description", c.Order.Description),
		text("", "crypto_network", c.CryptoNetwork))
	for who, p := range c.people() {
		a := &p.Address
		list = append(list, text(who, "email", p.Email), text(who, "city", a.City),
			text(who, "district", a.District), text(who, "address", a.Address), text(who, "address2", a.Address2),
			text(who, "house_number", a.HouseNumber), text(who, "zip", a.Zip), text(who, "country", a.Country),
			text(who, "phone_country_code", a.PhoneCountryCode), text(who, "ip", p.IP), text(who, "birth_date", p.BirthDate),
			text(who, "name", p.Name))
	}
	return otherTexts(list, c)
}

// otherTexts adds the free texts of a charge that a session has no row for.
func otherTexts(list []fields.Text, c *ChargeRequest) []fields.Text {
	target := "return_url_target"
	if c.Protocol == store.S2SCard {
		target = "term_url_target"
	}
	list = append(list, text("", "payer_language", c.Language), text("", "payer_present", c.PayerPresent),
		text("", target, c.ReturnTarget), text("", "moto_type", c.MOTOType))
	for _, card := range []*methods.Card{c.Card, c.PayeeCard} {
		if card != nil && card.Holder != c.Payer.FullName() && (c.Payee == nil || card.Holder != c.Payee.FullName()) {
			list = append(list, text("", "card_holder", card.Holder))
		}
	}
	for who, p := range c.people() {
		list = append(list, text(who, "first_name", p.FirstName), text(who, "middle_name", p.MiddleName),
			text(who, "last_name", p.LastName), text(who, "state", p.Address.State))
	}
	return list
}

// withNames adds to the free texts the numbers and names of an S2S request, which are lines of text too.
func withNames(list []fields.Text, c *ChargeRequest) []fields.Text {
	list = append(list, text("", "order_id", c.Order.Number),
		text("", "channel_id", c.ChannelID), text("", "identifier", c.Identifier),
		text("", "schedule_id", c.ScheduleID), text("", "brand", c.Method))
	for who, p := range c.people() {
		list = append(list, text(who, "phone", p.Address.Phone))
	}
	return list
}

// otherLines adds the lines of a charge that a session has no row for.
func otherLines(list []fields.Text, c *ChargeRequest) []fields.Text {
	return append(list, text("", "payer_language", c.Language), text("", "payer_present", c.PayerPresent),
		text("", "return_url_target", c.ReturnTarget), text("", "identifier", c.Identifier))
}

// stateFaults refuses states that are not of their country (decision bj).
func stateFaults(c *ChargeRequest) (faults []refusal.Fault) {
	for who, p := range c.people() {
		if state := fields.StateOf(p.Address); state != "" && !fields.IsState(p.Address.Country, state) {
			faults = append(faults, refusal.Fault{Path: who + "state", Text: fields.TextState})
		}
	}
	return faults
}
