package gateway

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Lines of text hold no control characters and nothing that turns their direction (decision ca).

// hiddenIn names the texts that are no lines.
func hiddenIn(texts []text) (faults []refusal.Fault) {
	for _, t := range texts {
		if !fields.IsPrintable(t.value) {
			faults = append(faults, refusal.Fault{Path: t.name, Text: fields.TextPrintable})
		}
	}
	return faults
}

// lines are all fields of an S2S request that are a line of text.
func lines(c *ChargeRequest) []text {
	list := append(freeTexts(c), text{"order_id", c.Order.Number}, text{"channel_id", c.ChannelID}, text{"identifier", c.Identifier},
		text{"schedule_id", c.ScheduleID}, text{"brand", c.Method})
	for _, p := range c.people() {
		list = append(list, text{p.prefix + "phone", p.Address.Phone}, text{p.prefix + "phone_country_code", p.Address.PhoneCountryCode})
	}
	return list
}

// otherLines are those of a charge for which a session has no row.
func otherLines(c *ChargeRequest) []text {
	list := []text{{"payer_language", c.Language}, {"payer_present", c.PayerPresent}, {"return_url_target", c.ReturnTarget}, {"identifier", c.Identifier}}
	for _, p := range c.people() {
		list = append(list, text{p.prefix + "address2", p.Address.Address2})
	}
	return list
}

// stateFaults are the states that are none of their country (decision bj).
func stateFaults(c *ChargeRequest) (faults []refusal.Fault) {
	for _, p := range c.people() {
		if state := stateOf(p.Address); state != "" && !fields.IsState(p.Address.Country, state) {
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
