package gateway

import (
	"slices"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
)

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
