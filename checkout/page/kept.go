package page

import (
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
)

// keptEntry is what the payer gave with an attempt that was declined, as though it was typed again. Numbers
// and codes are not among it.
func keptEntry(turn *gateway.Turn) entry {
	k := turn.Kept
	if k == nil || !offers(turn, k.Method) {
		return entry{}
	}
	e := entry{
		method: k.Method, name: k.Fields[pathName], told: k.Fields, amount: k.Amount, terms: k.Terms,
		expiry: shortExpiry(k.Expiry),
	}
	if k.Saved > 0 || k.Expiry != "" {
		e.saved = strconv.Itoa(k.Saved) // 0 for the card that was typed
	}
	return e
}

// offers holds where the method can still be chosen.
func offers(turn *gateway.Turn, code string) bool {
	return slices.ContainsFunc(choicesOf(turn), func(m gateway.MethodChoice) bool { return m.Code == code })
}

// shortExpiry is MM/YY of MM/YYYY, as payers type it.
func shortExpiry(expiry string) string {
	if len(expiry) != len("MM/YYYY") {
		return ""
	}
	return expiry[:3] + expiry[5:]
}

// next says what to do after a decline.
func nextStep(t *Texts, turn *gateway.Turn) string {
	for _, method := range choicesOf(turn) {
		if turn.Kept != nil && method.Code != turn.Kept.Method {
			continue
		}
		if method.Kind == methods.KindCard {
			return t.NextCard
		}
	}
	return t.NextOther
}
