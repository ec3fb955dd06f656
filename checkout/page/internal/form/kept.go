package form

import (
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway"
)

// Kept is what the payer gave with an attempt that was declined, as though it was typed again. Numbers
// and codes are not among it.
func Kept(next *gateway.NextAction) Entry {
	k := next.Kept
	if k == nil || !offers(next, k.Method) {
		return Entry{}
	}
	e := Entry{
		Method: k.Method, name: k.Fields[pathName], Told: k.Fields, Amount: k.Amount, Terms: k.Terms,
		expiry: shortExpiry(k.Expiry),
	}
	if k.Saved > 0 || k.Expiry != "" {
		e.Saved = strconv.Itoa(k.Saved) // 0 for the card that was typed
	}
	return e
}

// offers holds where the method can still be chosen.
func offers(next *gateway.NextAction, code string) bool {
	return slices.ContainsFunc(Choices(next), func(m gateway.MethodChoice) bool { return m.Code == code })
}

// shortExpiry is MM/YY of MM/YYYY, as payers type it.
func shortExpiry(expiry string) string {
	if len(expiry) != len("MM/YYYY") {
		return ""
	}
	return expiry[:3] + expiry[5:]
}
