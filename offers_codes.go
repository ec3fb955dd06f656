package gateway

import (
	"slices"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// brandsOf returns the card brands that a payer can use, in the order of store.Brands; nil for all of them.
func brandsOf(method methods.Method, candidates []route.Candidate) (list []store.Brand) {
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

func isName(f PayerField) bool { return f.Path == pathName }

// codesOf returns the codes to choose from: those asked for, or those of the first rule of pre-routing that fits, or
// cards and what the MIDs list.
func codesOf(asked []string, order store.Order, country string, p *merchant.Profile) []string {
	if len(asked) > 0 {
		return distinct(asked)
	}
	for _, rule := range p.Mapping(store.Checkout).PreRouting {
		if fits(&rule, order, country) {
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
