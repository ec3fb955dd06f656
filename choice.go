package gateway

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// choices are the methods a session can be paid with, as things stand: those it is limited to, those that
// pre-routing leaves, or all that its merchant's MIDs list, as far as one of them can take it (SPEC1,
// methods). The card comes first.
func (gw *Gateway) choices(s *store.Session, p *merchant.Profile) (list []MethodChoice) {
	sent, _ := sentParameters(s.Parameters)
	for _, code := range codesOf(s.Methods, s.Order, s.Payer.Address.Country, p) {
		candidates, why := gw.route(store.Checkout, gw.routeRequest(s, code), p)
		if why != route.None || !p.Offers(code, s.Kind) {
			continue
		}
		method, _ := gw.catalogue.Lookup(code)
		tree, _ := sent[code].(map[string]any)
		if !gw.completable(s, code, tree, candidates) {
			continue // the merchant has not sent what the page cannot ask for
		}
		fields := gw.fieldsOf(s, method, tree, candidates[0])
		if method.Kind == methods.KindCard && p.Mapping(store.Checkout).RequireName {
			fields = slices.DeleteFunc(fields, isName) // the name on the card is asked for, and stands for it
		}
		list = append(list, MethodChoice{Code: code, Name: method.Name, Kind: method.Kind, Asks: method.Missing(tree),
			Fields: fields, Brands: brandsOf(method, candidates), Wallet: gw.walletRequest(s, p, code)})
	}
	return list
}

// completable reports whether a method can be paid with once the page has asked for what it can ask: nothing else
// that one of its MIDs needs is missing.
func (gw *Gateway) completable(s *store.Session, code string, tree map[string]any, candidates []route.Candidate) bool {
	return slices.ContainsFunc(candidates, func(one route.Candidate) bool {
		ctx := gw.sessionContext(s.Kind, one.Settings, restricted(s.Order, s.Payer, s.Extra.Payee))
		faults := gw.catalogue.Check(code, tree, methods.JSON, ctx)
		return len(slices.DeleteFunc(faults, ofPayer)) == 0
	})
}

// ofPayer reports a fault of a field that the page asks for by its own form.
func ofPayer(f methods.Fault) bool {
	return strings.HasPrefix(f.Path, "customer.") || strings.HasPrefix(f.Path, "billing_address.")
}

func isName(f PayerField) bool { return f.Path == pathName }

// codesOf are the codes to choose from: those asked for, those of the first rule of pre-routing that fits,
// or cards and what the MIDs list.
func codesOf(asked []string, order store.Order, country string, p *merchant.Profile) []string {
	if len(asked) > 0 {
		return distinct(asked)
	}
	for _, rule := range p.Mapping(store.Checkout).PreRouting {
		if fits(&rule, order, country) {
			return distinct(rule.Methods)
		}
	}
	codes := []string{"card"}
	for _, account := range p.Accounts {
		for _, code := range account.Methods {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// distinct is the list with each code once, in its order.
func distinct(list []string) (once []string) {
	for _, code := range list {
		if !slices.Contains(once, code) {
			once = append(once, code)
		}
	}
	return once
}

// fits reports whether every condition of a rule of pre-routing holds. An amount that is not known yet is
// within no bounds.
func fits(rule *store.PreRoute, order store.Order, country string) bool {
	listed := func(list []string, item string) bool { return len(list) == 0 || slices.Contains(list, item) }
	if !listed(rule.Currencies, order.Currency) || !listed(rule.Countries, country) {
		return false
	}
	amount, err := store.ParseAmount(order.Amount)
	if err != nil {
		return rule.Min == "" && rule.Max == ""
	}
	least, _ := store.ParseAmount(rule.Min) // checked when it was saved; none is 0
	most, err := store.ParseAmount(rule.Max)
	return amount.Cmp(least) >= 0 && (err != nil || amount.Cmp(most) <= 0)
}

// routeRequest is what a session asks of the router.
func (gw *Gateway) routeRequest(s *store.Session, method string) route.Request {
	amount, err := store.ParseAmount(s.Order.Amount)
	return route.Request{
		Kind: s.Kind, Hold: s.Hold, Test: s.Test, Method: method, Currency: s.Order.Currency,
		ChannelID: s.ChannelID, MOTO: store.IsMOTO(s.Extra.MOTOType), Zero: err == nil && amount.IsZero(),
	}
}

// route asks the router, and the catalogue what the method itself can do: which operations it serves, in which
// currencies.
func (gw *Gateway) route(protocol store.Protocol, r route.Request, p *merchant.Profile) ([]route.Candidate, route.Refusal) {
	r.Barred = gw.barred(protocol, &r)
	return route.Choose(r, p.Accounts)
}

// barred is why the method itself cannot take a payment, by the catalogue (decision bo).
func (gw *Gateway) barred(protocol store.Protocol, r *route.Request) route.Refusal {
	method, known := gw.catalogue.Lookup(r.Method)
	if protocol == store.S2SCard && method.Kind == methods.KindWallet {
		protocol = store.S2SAPM // S2S CARD has no brand, and names a wallet by digital_wallet
	}
	currency, _ := gw.currencies.Lookup(r.Currency)
	switch {
	case !known:
		return route.MethodNotFound
	case !method.ServesProtocol(protocol):
		return route.NoMethod
	case !method.Serves(route.Charge(r.Kind)):
		return route.NoAction
	case len(method.Currencies) > 0 && !slices.Contains(method.Currencies, r.Currency):
		return route.NoCurrency
	case currency.Crypto && method.Kind == methods.KindCard:
		return route.NoCurrency // no card is in a crypto currency
	}
	return route.None
}

// choose finds the method of a submission among the choices.
func choose(choices []MethodChoice, code string) (MethodChoice, error) {
	for _, choice := range choices {
		if code == "" || choice.Code == code {
			return choice, nil
		}
	}
	return MethodChoice{}, refusal.ErrInvalid.Fields(refusal.Fault{Path: "method", Text: fields.TextChoice})
}

// answered puts what the payer filled in into the parameters of the method.
func answered(s *store.Session, choice MethodChoice, answers map[string]string) (json.RawMessage, error) {
	sent, _ := sentParameters(s.Parameters)
	tree, _ := sent[choice.Code].(map[string]any)
	if tree == nil {
		tree = map[string]any{}
	}
	for _, ask := range choice.Asks {
		if value := answers[ask.Name]; value != "" && len(value) <= 1024 {
			put(tree, strings.Split(ask.Name, "."), value)
		}
	}
	if len(tree) == 0 {
		return nil, nil
	}
	return json.Marshal(tree)
}

// fitting keeps the MIDs whose needs the parameters meet: by now everything is there that is collected
// before the payment starts. Where none is left, the faults are those of the first. A later payment of a chain brings
// no parameters: what its MID needs was asked at the first one.
func (gw *Gateway) fitting(c *charge) error {
	if c.recurring {
		return nil
	}
	tree, _ := sentParameters(c.sent)
	var faults []methods.Fault
	fit := make([]route.Candidate, 0, len(c.candidates))
	for _, candidate := range c.candidates {
		spelling, ctx := gw.parameterContext(&c.Payment, candidate)
		var found []methods.Fault
		for _, code := range gw.rulesOf(&c.Payment) {
			found = append(found, gw.catalogue.Check(code, tree, spelling, ctx)...)
		}
		if gw.isWallet(c.Payment.Method) {
			found = withoutToken(found)
		}
		if len(found) == 0 {
			fit = append(fit, candidate)
		} else if faults == nil {
			faults = found
		}
	}
	if c.candidates = fit; len(fit) == 0 {
		return refusal.ErrInvalid.Fields(faultsOf(faults)...)
	}
	return nil
}

// withoutToken leaves a wallet's token out: it is no parameter any more once a charge has it.
func withoutToken(faults []methods.Fault) []methods.Fault {
	return slices.DeleteFunc(faults, func(f methods.Fault) bool { return f.Path == tokenPath(store.S2SAPM) })
}

// completed are the parameters as one MID gets them: with what stands for those that were left out, which
// is the MID's own.
func (gw *Gateway) completed(c *charge, candidate route.Candidate) (json.RawMessage, error) {
	tree, _ := sentParameters(c.sent)
	spelling, ctx := gw.parameterContext(&c.Payment, candidate)
	for _, code := range gw.rulesOf(&c.Payment) {
		tree = gw.catalogue.Complete(code, tree, spelling, ctx)
	}
	if len(tree) == 0 {
		return nil, nil
	}
	return json.Marshal(tree)
}

// rulesOf are the codes whose sets hold for a payment: its method's, and on S2S CARD those of cards for a wallet too,
// which stands for a card there (decision bu).
func (gw *Gateway) rulesOf(p *store.Payment) []string {
	if p.Protocol == store.S2SCard && gw.isWallet(p.Method) {
		return []string{p.Method, "card"}
	}
	return []string{p.Method}
}

func (gw *Gateway) parameterContext(p *store.Payment, candidate route.Candidate) (methods.Spelling, methods.Context) {
	options, _ := methods.OptionsOf(candidate.Settings) // checked when it was saved
	spelling := methods.JSON
	if p.Protocol.S2S() {
		spelling = methods.Form
	}
	return spelling, methods.Context{
		Operation: route.Charge(p.Kind), Stage: methods.Direct, MID: options,
		Request: restricted(p.Order, p.Payer, p.Payee), Currencies: gw.currencies,
		ShortAmounts: true, // its own row has judged the amount by the mapping
	}
}

func faultsOf(faults []methods.Fault) []refusal.Fault {
	list := make([]refusal.Fault, len(faults))
	for i, fault := range faults {
		list[i] = refusal.Fault(fault)
	}
	return list
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
