package page

import (
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
)

// SavedView is a saved card to choose.
type SavedView struct {
	ID     string // of the radio button
	Place  int    // in NextAction.Cards, from 1
	Digits string // "•••• 1111"
	Expiry string // MM/YYYY
	Brand  Brand  // ID is "card" for an unknown brand
	Code   int    // digits of its security code
	Chosen bool
}

func savedViews(next *gateway.NextAction, choice string, now time.Time) (views []SavedView) {
	chosen, _ := form.ChosenCard(next, choice, now)
	for i, card := range next.Cards {
		if !form.Usable(card, now) {
			continue
		}
		v := SavedView{
			ID: form.FieldSaved + "-" + strconv.Itoa(i+1), Place: i + 1,
			Digits: "•••• " + clean.Shown(card.Mask[len(card.Mask)-4:]),
			Expiry: clean.Shown(card.Expiry), Brand: Brand{"card", ""}, Code: 3, Chosen: chosen == i+1,
		}
		for _, brand := range brands {
			if strings.EqualFold(brand.ID, card.Brand) {
				v.Brand = brand
			}
		}
		if v.Brand.ID == "amex" {
			v.Code = 4
		}
		views = append(views, v)
	}
	return views
}
