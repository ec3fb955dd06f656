package page

import (
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/store"
)

// fieldSaved carries the place of the saved card that is chosen, from 1, or 0 for another card.
const fieldSaved = "saved"

// SavedView is a saved card to choose.
type SavedView struct {
	ID     string // of the radio button
	Place  int    // in Turn.Cards, from 1
	Digits string // "•••• 1111"
	Expiry string // MM/YYYY
	Brand  Brand  // ID is "card" where it is none of ours
	Code   int    // digits of its security code
	Chosen bool
}

// usable holds for a card that is still there and has not expired.
func usable(card gateway.SavedCard, now time.Time) bool {
	expiry, err := store.ParseExpiry(card.Expiry)
	return len(card.Mask) >= 4 && err == nil && expiry.Check(now.Add(-12*time.Hour)) == nil
}

// chosenCard is the saved card of a choice. Without one it is the first that can be used; 0 is another card.
func chosenCard(turn *gateway.Turn, choice string, now time.Time) (place int, ok bool) {
	if choice == "" {
		for i, card := range turn.Cards {
			if usable(card, now) {
				return i + 1, true
			}
		}
		return 0, true
	}
	place, err := strconv.Atoi(choice)
	if err != nil || place < 0 || place > len(turn.Cards) {
		return 0, false
	}
	return place, place == 0 || usable(turn.Cards[place-1], now)
}

// expiryOnly: of a payout to a saved card the payer types the expiry, and can choose no other card (decision aw).
func expiryOnly(turn *gateway.Turn) bool {
	return turn.Operation == store.Credit && len(turn.Cards) > 0
}

func savedViews(turn *gateway.Turn, choice string, now time.Time) (views []SavedView) {
	chosen, _ := chosenCard(turn, choice, now)
	for i, card := range turn.Cards {
		if !usable(card, now) {
			continue
		}
		v := SavedView{
			ID: fieldSaved + "-" + strconv.Itoa(i+1), Place: i + 1, Digits: "•••• " + clean.Shown(card.Mask[len(card.Mask)-4:]),
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
