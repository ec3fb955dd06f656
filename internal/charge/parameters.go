package charge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Completable reports whether a method can pay once the page has asked for what it can ask: one of its MIDs needs
// nothing else.
func (ro *Router) Completable(s *store.Session, code string, tree map[string]any, candidates []route.Candidate) bool {
	return slices.ContainsFunc(candidates, func(one route.Candidate) bool {
		ctx := ro.SessionContext(s, one.Settings)
		faults := ro.Catalogue.Check(code, tree, methods.JSON, ctx)
		return len(slices.DeleteFunc(faults, ofPayer)) == 0
	})
}

// ofPayer reports whether a fault is of a field that the page asks for by its own form.
func ofPayer(f methods.Fault) bool {
	return strings.HasPrefix(f.Path, "customer.") || strings.HasPrefix(f.Path, "billing_address.")
}

// fitting keeps the MIDs whose needs the parameters meet: everything that is collected before the payment is there
// by now. If none is left, the faults are those of the first MID. A later payment of a chain brings no parameters,
// because the first one had what its MID needs.
func (ro *Router) fitting(c *Draft) error {
	if c.Recurring {
		return nil
	}
	tree := c.sent()
	var faults []methods.Fault
	fit := c.candidates[:0]
	for _, candidate := range c.candidates {
		spelling, ctx := ro.parameterContext(&c.Payment, candidate)
		var found []methods.Fault
		for _, code := range ro.rulesOf(&c.Payment) {
			found = append(found, ro.Catalogue.Check(code, tree, spelling, ctx)...)
		}
		if ro.IsWallet(c.Payment.Method) {
			found = withoutToken(found)
		}
		if len(found) == 0 {
			fit = append(fit, candidate)
		} else if faults == nil {
			faults = found
		}
	}
	if c.candidates = fit; len(fit) == 0 {
		return refusal.ErrInvalid.Fields(faults...)
	}
	return nil
}

// withoutToken removes faults of a wallet's token, which is no longer a parameter once a charge has it.
func withoutToken(faults []methods.Fault) []methods.Fault {
	return slices.DeleteFunc(faults, func(f methods.Fault) bool { return f.Path == TokenPath(store.S2SAPM) })
}

// completed returns the parameters as one MID gets them, with the MID's own values for those that were left out.
func (ro *Router) completed(c *Draft, candidate route.Candidate) map[string]any {
	tree := c.sent()
	spelling, ctx := ro.parameterContext(&c.Payment, candidate)
	for _, code := range ro.rulesOf(&c.Payment) {
		tree = ro.Catalogue.Complete(code, tree, spelling, ctx)
	}
	return tree
}

// rulesOf returns the codes whose sets apply to a payment: its method's, and on S2S CARD those of cards also for a
// wallet, which replaces a card there (decision bu).
func (ro *Router) rulesOf(p *records.Payment) []string {
	if p.Protocol == store.S2SCard && ro.IsWallet(p.Method) {
		return []string{p.Method, "card"}
	}
	return []string{p.Method}
}

func (ro *Router) parameterContext(p *records.Payment, candidate route.Candidate) (methods.Spelling, methods.Context) {
	options, _ := methods.OptionsOf(candidate.Settings) // checked when it was saved
	spelling := methods.JSON
	if p.Protocol.S2S() {
		spelling = methods.Form
	}
	return spelling, methods.Context{
		Operation: route.Charge(p.Kind), Stage: methods.Direct, MID: options,
		Request: (*paymentFields)(p), Currencies: ro.Currencies,
		ShortAmounts: true, // its own row has checked the amount by the mapping
	}
}

// maxDescriptor is how many characters a statement accepts (SPEC2, Descriptor).
const maxDescriptor = 20

// descriptor returns the text of an attempt on the payer's statement: the parameter of the request if the method
// accepts one, otherwise the MID's (decision cb).
func (ro *Router) descriptor(c *Draft, parameters map[string]any) string {
	own := fields.ParameterText(parameters, "descriptor")
	if own == "" || utf8.RuneCountInString(own) > maxDescriptor {
		return c.MID.Descriptor
	}
	takes := slices.ContainsFunc(ro.rulesOf(&c.Payment),
		func(code string) bool { return ro.Catalogue.Takes(code, "descriptor") })
	if !takes {
		return c.MID.Descriptor
	}
	return own
}

// SessionContext returns the context of rules while the page can still ask.
func (ro *Router) SessionContext(s *store.Session, settings map[string]string) methods.Context {
	options, _ := methods.OptionsOf(settings) // checked when they were saved
	return methods.Context{
		Operation: route.Charge(s.Kind), Stage: methods.Hosted, MID: options,
		Request: (*sessionFields)(s), Currencies: ro.Currencies,
		ShortAmounts: true, // its own row has checked the amount by the mapping
	}
}

// sessionFields are the fields of a session that the rules of methods may restrict; they implement methods.Request.
type sessionFields store.Session

// Field implements methods.Request.
func (s *sessionFields) Field(name string) string {
	return field(name, &s.Order, &s.Payer, s.Extra.Payee)
}

// paymentFields are those of a payment.
type paymentFields records.Payment

// Field implements methods.Request.
func (p *paymentFields) Field(name string) string { return field(name, &p.Order, &p.Payer, p.Payee) }

// field returns a field by its name in the rules. A nil payee has none.
func field(name string, order *store.Order, payer, payee *store.Payer) string {
	switch name {
	case "order_id":
		return order.Number
	case "order_amount":
		return order.Amount
	case "order_currency":
		return order.Currency
	case "order_description":
		return order.Description
	case "payer_phone":
		return payer.Address.Phone
	case "payer_country":
		return payer.Address.Country
	}
	if part, ok := strings.CutPrefix(name, "payer_"); ok {
		return ofPerson(payer, part)
	}
	if part, ok := strings.CutPrefix(name, "payee_"); ok && payee != nil {
		return ofPerson(payee, part)
	}
	return ""
}

// ofPerson returns the fields that a payer and a payee have.
func ofPerson(person *store.Payer, part string) string {
	first, last := person.Parts()
	switch part {
	case "first_name":
		return first
	case "last_name":
		return last
	case "email":
		return person.Email
	}
	return ""
}

// The requirements that a MID's settings may add.
var (
	addressFields = []string{"billing_address.country", "billing_address.city", "billing_address.address",
		"billing_address.zip"}
	threeDSFields = append([]string{"customer.email"}, addressFields...)
)

// NeededBy returns the payer's fields that a MID needs for a session, which the page asks for.
func (ro *Router) NeededBy(s *store.Session, method methods.Method, tree map[string]any,
	candidate route.Candidate) (paths []string) {
	if candidate.AVS && method.Kind == methods.KindCard {
		paths = append(paths, addressFields...)
	}
	if candidate.ThreeDS && method.Kind == methods.KindCard {
		paths = append(paths, threeDSFields...)
	}
	options, _ := methods.OptionsOf(candidate.Settings) // checked when it was saved
	ctx := methods.Context{Operation: route.Charge(s.Kind), Stage: methods.Direct, MID: options,
		Request: (*sessionFields)(s), Currencies: ro.Currencies, ShortAmounts: true}
	for _, fault := range ro.Catalogue.Check(method.Code, tree, methods.JSON, ctx) {
		if ofPayer(fault) {
			paths = append(paths, fault.Path)
		}
	}
	return paths
}
