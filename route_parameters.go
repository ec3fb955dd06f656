package gateway

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// completable reports whether a method can be paid with once the page has asked for what it can ask: nothing else
// that one of its MIDs needs is missing.
func (ro *router) completable(s *store.Session, code string, tree map[string]any, candidates []route.Candidate) bool {
	return slices.ContainsFunc(candidates, func(one route.Candidate) bool {
		ctx := ro.sessionContext(s.Kind, one.Settings, restricted(s.Order, s.Payer, s.Extra.Payee))
		faults := ro.catalogue.Check(code, tree, methods.JSON, ctx)
		return len(slices.DeleteFunc(faults, ofPayer)) == 0
	})
}

// ofPayer reports a fault of a field that the page asks for by its own form.
func ofPayer(f methods.Fault) bool {
	return strings.HasPrefix(f.Path, "customer.") || strings.HasPrefix(f.Path, "billing_address.")
}

// fitting keeps the MIDs whose needs the parameters meet: by now everything is there that is collected
// before the payment starts. Where none is left, the faults are those of the first. A later payment of a chain brings
// no parameters: what its MID needs was asked at the first one.
func (ro *router) fitting(c *charge) error {
	if c.recurring {
		return nil
	}
	tree, _ := sentParameters(c.sent)
	var faults []methods.Fault
	fit := make([]route.Candidate, 0, len(c.candidates))
	for _, candidate := range c.candidates {
		spelling, ctx := ro.parameterContext(&c.Payment, candidate)
		var found []methods.Fault
		for _, code := range ro.rulesOf(&c.Payment) {
			found = append(found, ro.catalogue.Check(code, tree, spelling, ctx)...)
		}
		if ro.isWallet(c.Payment.Method) {
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

// withoutToken leaves a wallet's token out: it is no parameter any more once a charge has it.
func withoutToken(faults []methods.Fault) []methods.Fault {
	return slices.DeleteFunc(faults, func(f methods.Fault) bool { return f.Path == tokenPath(store.S2SAPM) })
}

// completed are the parameters as one MID gets them: with what stands for those that were left out, which
// is the MID's own.
func (ro *router) completed(c *charge, candidate route.Candidate) (json.RawMessage, error) {
	tree, _ := sentParameters(c.sent)
	spelling, ctx := ro.parameterContext(&c.Payment, candidate)
	for _, code := range ro.rulesOf(&c.Payment) {
		tree = ro.catalogue.Complete(code, tree, spelling, ctx)
	}
	if len(tree) == 0 {
		return nil, nil
	}
	return json.Marshal(tree)
}

// rulesOf are the codes whose sets hold for a payment: its method's, and on S2S CARD those of cards for a wallet too,
// which stands for a card there (decision bu).
func (ro *router) rulesOf(p *store.Payment) []string {
	if p.Protocol == store.S2SCard && ro.isWallet(p.Method) {
		return []string{p.Method, "card"}
	}
	return []string{p.Method}
}

func (ro *router) parameterContext(p *store.Payment, candidate route.Candidate) (methods.Spelling, methods.Context) {
	options, _ := methods.OptionsOf(candidate.Settings) // checked when it was saved
	spelling := methods.JSON
	if p.Protocol.S2S() {
		spelling = methods.Form
	}
	return spelling, methods.Context{
		Operation: route.Charge(p.Kind), Stage: methods.Direct, MID: options,
		Request: restricted(p.Order, p.Payer, p.Payee), Currencies: ro.currencies,
		ShortAmounts: true, // its own row has judged the amount by the mapping
	}
}

// put sets a value at a path through objects, making those that are missing.
func put(tree map[string]any, path []string, value string) {
	for _, step := range path[:len(path)-1] {
		next, ok := tree[step].(map[string]any)
		if !ok {
			next = map[string]any{}
			tree[step] = next
		}
		tree = next
	}
	tree[path[len(path)-1]] = value
}

// maxDescriptor is how many characters a statement takes (SPEC2, Descriptor).
const maxDescriptor = 20

// descriptor is what the payer's statement says of an attempt: the parameter of the request where the method takes
// one, else what the MID has (decision cb).
func (ro *router) descriptor(c *charge) string {
	takes := slices.ContainsFunc(ro.rulesOf(&c.Payment),
		func(code string) bool { return ro.catalogue.Takes(code, "descriptor") })
	sent, _ := sentParameters(c.Parameters)
	own := textParameter(sent, "descriptor")
	if !takes || utf8.RuneCountInString(own) > maxDescriptor {
		own = ""
	}
	return cmp.Or(own, c.MID.Descriptor)
}

// parameterFaults holds a session's parameters against the sets of the methods they are for, of the method the
// session is limited to, should it be only one, and of those named beside (SPEC2, "Resources and their fields").
// What the page can still ask the payer is no fault yet; what no set knows is kept and passed on. The MID's
// settings say what else it needs (decision w).
func (ro *router) parameterFaults(r *SessionRequest, settings map[string]string, beside ...string) []refusal.Fault {
	sent, codes := sentParameters(r.Parameters)
	codes = distinct(append(codes, beside...))
	if r.Hosted && !slices.Contains(codes, "card") {
		codes = append(codes, "card")
	}
	if len(r.Methods) == 1 && !slices.Contains(codes, r.Methods[0]) {
		codes = append(codes, r.Methods[0])
	}
	ctx := ro.sessionContext(store.Kind(r.Operation), settings, requestFields(r))
	var faults []refusal.Fault
	for _, code := range codes {
		tree, ok := sent[code].(map[string]any)
		if !ok && !isEmpty(sent[code]) {
			faults = append(faults, refusal.Fault{Path: "parameters." + code, Text: fields.TextObject})
			continue
		}
		faults = append(faults, ro.catalogue.Check(code, tree, methods.JSON, ctx)...)
	}
	return faults
}

// sessionContext is what rules look at while the page can still ask.
func (ro *router) sessionContext(kind store.Kind, settings map[string]string,
	request map[string]string) methods.Context {
	options, _ := methods.OptionsOf(settings) // checked when they were saved
	return methods.Context{
		Operation: route.Charge(kind), Stage: methods.Hosted, MID: options, Request: request, Currencies: ro.currencies,
		ShortAmounts: true, // its own row has judged the amount by the mapping
	}
}

// isEmpty reports an object that is absent: null, "" or [], which is how PHP writes it (decision ap).
func isEmpty(value any) bool {
	list, isList := value.([]any)
	return value == nil || value == "" || isList && len(list) == 0
}

// requestFields are the fields of a session request that sets restrict, by their S2S names.
func requestFields(r *SessionRequest) map[string]string {
	payee := payee(r)
	return restricted(r.Order, store.Payer{Name: r.Customer.Name, Email: r.Customer.Email, Address: r.Billing}, &payee)
}

func restricted(order store.Order, payer store.Payer, payee *store.Payer) map[string]string {
	if payee == nil {
		payee = &store.Payer{}
	}
	payerFirst, payerLast := payer.Parts()
	payeeFirst, payeeLast := payee.Parts()
	return map[string]string{
		"order_id":          order.Number,
		"order_amount":      order.Amount,
		"order_currency":    order.Currency,
		"order_description": order.Description,
		"payer_first_name":  payerFirst,
		"payer_last_name":   payerLast,
		"payer_email":       payer.Email,
		"payer_phone":       payer.Address.Phone,
		"payer_country":     payer.Address.Country,
		"payee_first_name":  payeeFirst,
		"payee_last_name":   payeeLast,
		"payee_email":       payee.Email,
	}
}

// unknownMethods names the methods of a session that are not in the catalogue.
func (ro *router) unknownMethods(r *SessionRequest) (faults []refusal.Fault) {
	for i, code := range r.Methods {
		if _, ok := ro.catalogue.Lookup(code); !ok {
			faults = append(faults, refusal.Fault{Path: "methods[" + strconv.Itoa(i) + "]", Text: fields.TextChoice})
		}
	}
	return faults
}

// What the settings of a MID make needed.
var (
	addressFields = []string{"billing_address.country", "billing_address.city", "billing_address.address",
		"billing_address.zip"}
	threeDSFields = append([]string{"customer.email"}, addressFields...)
)

func (ro *router) neededBy(s *store.Session, payer store.Payer, method methods.Method, tree map[string]any,
	candidate route.Candidate) (paths []string) {
	if candidate.AVS && method.Kind == methods.KindCard {
		paths = append(paths, addressFields...)
	}
	if candidate.ThreeDS && method.Kind == methods.KindCard {
		paths = append(paths, threeDSFields...)
	}
	options, _ := methods.OptionsOf(candidate.Settings) // checked when it was saved
	ctx := methods.Context{Operation: route.Charge(s.Kind), Stage: methods.Direct, MID: options,
		Request: restricted(s.Order, payer, s.Extra.Payee), Currencies: ro.currencies, ShortAmounts: true}
	for _, fault := range ro.catalogue.Check(method.Code, tree, methods.JSON, ctx) {
		if ofPayer(fault) {
			paths = append(paths, fault.Path)
		}
	}
	return paths
}
