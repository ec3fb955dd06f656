package charge

import (
	"slices"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Codes returns the codes of the methods that a session is paid by: those asked for, or those of the first rule of
// pre-routing that fits, or cards and what the MIDs list.
func Codes(s *store.Session, p *merchant.Profile) []string {
	if len(s.Methods) > 0 {
		return distinct(s.Methods)
	}
	for _, rule := range p.Mapping(store.Checkout).PreRouting {
		if fits(&rule, s.Order, s.Payer.Address.Country) {
			return distinct(rule.Methods)
		}
	}
	return p.Codes
}

// distinct returns each code of the list once, in its order.
func distinct(list []string) (once []string) {
	for _, code := range list {
		if !slices.Contains(once, code) {
			once = append(once, code)
		}
	}
	return once
}

// fits reports whether every condition of a rule of pre-routing holds. An unknown amount is within no bounds.
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

// BrandsOf returns the card brands that a payer can use, in the order of store.Brands; nil for all of them.
func BrandsOf(method methods.Method, candidates []route.Candidate) (list []store.Brand) {
	if method.Kind != methods.KindCard {
		return nil
	}
	for _, one := range candidates {
		if len(one.Brands) == 0 {
			return nil
		}
	}
	for _, brand := range store.Brands() {
		if slices.ContainsFunc(candidates, func(one route.Candidate) bool { return slices.Contains(one.Brands, brand) }) {
			list = append(list, brand)
		}
	}
	return list
}

// Routable returns the first MID that can take the session by one of its methods. If all methods lack parameters that
// the page cannot ask for, it returns them as unfinished, with the first MID of the first.
func (ro *Router) Routable(p *merchant.Profile, s *store.Session,
	sent map[string]any) (first *route.Candidate, unfinished []string, err error) {
	furthest, codes := route.None, Codes(s, p)
	if s.Hosted {
		if codes = ro.CardCodes(codes); len(codes) == 0 {
			return nil, nil, refusal.ErrNoMethods
		}
	}
	for _, method := range codes {
		candidates, why := ro.Route(store.Checkout, ro.RouteRequest(s, method), p)
		if why == route.None && !p.Offers(method, s.Kind) {
			why = route.NoMethod // the page would have nothing to offer
		}
		tree, _ := sent[method].(map[string]any)
		switch {
		case why == route.None && ro.Completable(s, method, tree, candidates):
			return &candidates[0], nil, nil
		case why == route.None:
			if unfinished = append(unfinished, method); first == nil {
				first = &candidates[0]
			}
			continue
		}
		if furthest == route.None || why.Later(furthest) { // return the error of the method that came furthest
			furthest = why
		}
	}
	if first != nil {
		return first, unfinished, nil
	}
	if err := p.Unoffered(codes); err != nil {
		return nil, nil, err
	}
	return nil, nil, RouteError(store.Checkout, furthest)
}
