package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Lines of text hold no control characters and nothing that turns their direction (decision ca).

// lines are all fields of an S2S request that are a line of text.
func lines(c *ChargeRequest) []fields.Text {
	list := append(freeTexts(c), fields.Text{Name: "order_id", Value: c.Order.Number}, fields.Text{Name: "channel_id", Value: c.ChannelID}, fields.Text{Name: "identifier", Value: c.Identifier},
		fields.Text{Name: "schedule_id", Value: c.ScheduleID}, fields.Text{Name: "brand", Value: c.Method})
	for _, p := range c.people() {
		list = append(list, fields.Text{Name: p.prefix + "phone", Value: p.Address.Phone}, fields.Text{Name: p.prefix + "phone_country_code", Value: p.Address.PhoneCountryCode})
	}
	return list
}

// otherLines are those of a charge for which a session has no row.
func otherLines(c *ChargeRequest) []fields.Text {
	list := []fields.Text{{Name: "payer_language", Value: c.Language}, {Name: "payer_present", Value: c.PayerPresent}, {Name: "return_url_target", Value: c.ReturnTarget}, {Name: "identifier", Value: c.Identifier}}
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

// person is the payer or the payee, by the prefix of their fields on S2S.
type person struct {
	prefix string
	*store.Payer
}

// people are those whom a charge names.
func (c *ChargeRequest) people() []person {
	list := []person{{"payer_", &c.Payer}}
	if c.Payee != nil {
		list = append(list, person{"payee_", c.Payee})
	}
	return list
}
