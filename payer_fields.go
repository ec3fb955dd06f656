package gateway

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// fieldsOf are the payer's fields that a method still needs at a MID: the address where the MID checks it,
// what the method's own sets want of the request, the country code of a phone that the method needs, whether the
// phone is asked for or known (decision bh), and a state where the country has states.
func (o *offers) fieldsOf(s *store.Session, method methods.Method, tree map[string]any, candidate route.Candidate) (list []PayerField) {
	needed := o.router.neededBy(s, s.Payer, method, tree, candidate)
	phoneless := s.Payer
	phoneless.Address.Phone = ""
	if slices.Contains(o.router.neededBy(s, phoneless, method, tree, candidate), "billing_address.phone") {
		needed = append(needed, "billing_address.phone_country_code")
	}
	for _, field := range payerFields {
		if *field.place(&s.Payer) != "" {
			continue
		}
		switch {
		case slices.Contains(needed, field.path):
			list = append(list, PayerField{field.path, true})
		case field.path == "billing_address.state" && asksState(s, needed):
			list = append(list, PayerField{field.path, false})
		}
	}
	return list
}

// asksState: a state is collected with an address that is asked for, unless the country is known to have
// none that count (decision bj).
func asksState(s *store.Session, needed []string) bool {
	if s.Payer.Address.Country == "" {
		return slices.Contains(needed, "billing_address.country")
	}
	return fields.HasStates(s.Payer.Address.Country) && slices.Contains(needed, "billing_address.city")
}

// fillIn takes what the payer told of himself, by the rules of a session's fields, and names what is
// wrong or missing.
func (o *offers) fillIn(payer *store.Payer, mapping *store.Mapping, asked []PayerField, told map[string]string) (faults []refusal.Fault) {
	for _, field := range payerFields {
		i := slices.IndexFunc(asked, func(f PayerField) bool { return f.Path == field.path })
		if i < 0 {
			continue
		}
		value := strings.TrimSpace(told[field.path])
		if value == "" && asked[i].Required {
			faults = append(faults, refusal.Fault{Path: field.path, Text: fields.TextBlank})
		}
		*field.place(payer) = value
	}
	r := &SessionRequest{
		Operation: string(store.Purchase), Billing: payer.Address, anyName: mapping.AnyName,
		Customer: Customer{Name: payer.Name, Email: payer.Email, BirthDate: payer.BirthDate},
	}
	for _, field := range asked {
		if fault := o.form.faultAt(field.Path, r); fault.Text != "" {
			faults = append(faults, fault)
		}
	}
	payer.Address.State = fields.StateOf(payer.Address)
	return faults
}
