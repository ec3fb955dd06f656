package gateway

import (
	"cmp"
	"slices"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// brandOf is what the router asks of a card; empty for none.
func brandOf(card *methods.Card) store.Brand {
	if card == nil || card.PAN.IsZero() {
		return ""
	}
	return cmp.Or(card.PAN.Brand(), route.OtherBrand)
}

// ofBrand keeps the MIDs that take the card of a wallet's token. Its brand is known only once the token is opened.
func (c *charge) ofBrand() error {
	if c.wallet.opened == nil {
		return nil
	}
	brand := brandOf(&methods.Card{PAN: c.wallet.opened.PAN})
	c.candidates = slices.DeleteFunc(slices.Clone(c.candidates), func(one route.Candidate) bool {
		return len(one.Brands) > 0 && !slices.Contains(one.Brands, brand)
	})
	if len(c.candidates) == 0 {
		return refusal.ErrBrandRoute
	}
	return nil
}

// brandsOf are the brands that a payer can use, in the order of store.Brands; nil for all of them.
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
