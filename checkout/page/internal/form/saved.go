package form

import (
	"strconv"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// FieldSaved is the field with the place of the chosen saved card, from 1, or 0 for another card.
const FieldSaved = "saved"

// Usable reports whether a card still exists and has not expired.
func Usable(card gateway.SavedCard, now time.Time) bool {
	expiry, err := store.ParseExpiry(card.Expiry)
	return len(card.Mask) >= 4 && err == nil && expiry.Check(now.Add(-12*time.Hour)) == nil
}

// ChosenCard returns the saved card of a choice. Without a choice it is the first that can be used; 0 is another
// card.
func ChosenCard(next *gateway.NextAction, choice string, now time.Time) (place int, ok bool) {
	if choice == "" {
		for i, card := range next.Cards {
			if Usable(card, now) {
				return i + 1, true
			}
		}
		return 0, true
	}
	place, err := strconv.Atoi(choice)
	if err != nil || place < 0 || place > len(next.Cards) {
		return 0, false
	}
	return place, place == 0 || Usable(next.Cards[place-1], now)
}

// ExpiryOnly reports a payout to a saved card: the payer types the expiry, and can choose no other card (decision
// aw).
func ExpiryOnly(next *gateway.NextAction) bool {
	return next.Operation == store.Credit && len(next.Cards) > 0
}
