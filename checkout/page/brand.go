package page

import (
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Brand is a card brand that the page names. One without an ID has no picture.
type Brand struct{ ID, Name string }

// brands have a picture of our own in assets/brand-<id>.svg; the script shows them.
var brands = []Brand{
	{"visa", "Visa"}, {"mastercard", "Mastercard"}, {"amex", "American Express"},
	{"diners", "Diners Club"}, {"discover", "Discover"}, {"jcb", "JCB"},
	{"unionpay", "UnionPay"}, {"maestro", "Maestro"},
}

// namedBrand returns a brand with its name on the page.
func namedBrand(brand store.Brand) Brand {
	for _, known := range brands {
		if known.ID == string(brand) {
			return known
		}
	}
	if brand == store.Mir {
		return Brand{Name: "Mir"}
	}
	return Brand{Name: clean.Shown(string(brand))}
}

// accepted returns the brands of cards that one of the methods accepts: all with a picture when the merchant lists
// none.
func accepted(next *gateway.NextAction) (list []Brand) {
	for _, method := range form.Choices(next) {
		if method.Kind != methods.KindCard {
			continue
		}
		if method.Brands == nil {
			return brands
		}
		for _, brand := range method.Brands {
			if one := namedBrand(brand); !slices.Contains(list, one) {
				list = append(list, one)
			}
		}
	}
	return list
}
