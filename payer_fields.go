package gateway

import (
	"slices"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// asksState reports whether the page asks for a state. It does where it asks for an address, unless the country is
// known to have no states that count (decision bj).
func asksState(s *store.Session, needed []string) bool {
	if s.Payer.Address.Country == "" {
		return slices.Contains(needed, "billing_address.country")
	}
	return fields.HasStates(s.Payer.Address.Country) && slices.Contains(needed, "billing_address.city")
}

// payerField is a field that the page can ask the payer for: its path in a session request and its place in the record.
type payerField struct {
	path  string
	place func(*store.Payer) *string
}

// pathName is the path of the payer's name. The name on a card can fill it.
const pathName = "customer.name"

// payerFields lists what the page can ask for, in order (SPEC1: "missing fields are collected on the page").
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
