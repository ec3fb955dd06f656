package form

import (
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway"
)

// Kept returns what the payer entered with the declined attempt, as if it was typed again. It has no numbers and
// codes.
func Kept(next *gateway.NextAction) Entry {
	k := next.Kept
	if k == nil || !offers(next, k.Method) {
		return Entry{}
	}
	e := Entry{
		Method: k.Method, name: k.Fields[pathName], Fields: k.Fields, Amount: k.Amount, Terms: k.Terms,
		expiry: shortExpiry(k.Expiry),
	}
	if k.Saved > 0 || k.Expiry != "" {
		e.Saved = strconv.Itoa(k.Saved) // 0 for the card that was typed
	}
	return e
}

// offers reports whether the method can still be chosen.
func offers(next *gateway.NextAction, code string) bool {
	return slices.ContainsFunc(Choices(next), func(m gateway.MethodChoice) bool { return m.Code == code })
}

// shortExpiry returns MM/YY for MM/YYYY, as payers type it.
func shortExpiry(expiry string) string {
	if len(expiry) != len("MM/YYYY") {
		return ""
	}
	return expiry[:3] + expiry[5:]
}
