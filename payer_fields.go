package gateway

import (
	"slices"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// asksState: a state is collected with an address that is asked for, unless the country is known to have
// none that count (decision bj).
func asksState(s *store.Session, needed []string) bool {
	if s.Payer.Address.Country == "" {
		return slices.Contains(needed, "billing_address.country")
	}
	return fields.HasStates(s.Payer.Address.Country) && slices.Contains(needed, "billing_address.city")
}

// payerField is a field of the payer that the page can ask for: its path in a session request, and where
// it stands in the record.
type payerField struct {
	path  string
	place func(*store.Payer) *string
}

// pathName is the path of the payer's name, which the name on a card stands for.
const pathName = "customer.name"

// payerFields is the table of what the page can ask for (SPEC1: "missing fields are collected on the
// page"), in the order in which it asks.
var payerFields = []payerField{
	{pathName, func(p *store.Payer) *string { return &p.Name }},
	{"customer.email", func(p *store.Payer) *string { return &p.Email }},
	{"customer.birth_date", func(p *store.Payer) *string { return &p.BirthDate }},
	{"billing_address.country", func(p *store.Payer) *string { return &p.Address.Country }},
	{"billing_address.state", func(p *store.Payer) *string { return &p.Address.State }},
	{"billing_address.city", func(p *store.Payer) *string { return &p.Address.City }},
	{"billing_address.address", func(p *store.Payer) *string { return &p.Address.Address }},
	{"billing_address.zip", func(p *store.Payer) *string { return &p.Address.Zip }},
	{"billing_address.phone_country_code", func(p *store.Payer) *string { return &p.Address.PhoneCountryCode }},
	{"billing_address.phone", func(p *store.Payer) *string { return &p.Address.Phone }},
}
