package engine

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// extraName is what a connector may name a pair of its own.
var extraName = regexp.MustCompile(`\A[A-Za-z0-9_.-]{1,64}\z`)

// usableExtras are the connector's own pairs as callbacks can repeat them (decision av): at most MaxExtras, each
// name once. Others are left out. A value may repeat a card number, which is hidden.
func usableExtras(list []store.Extra) (kept []store.Extra) {
	seen := map[string]bool{}
	for _, extra := range list {
		printable := utf8.ValidString(extra.Value) && strings.IndexFunc(extra.Value, unicode.IsControl) < 0
		short := utf8.RuneCountInString(extra.Value) <= methods.MaxExtra
		if seen[extra.Name] || !extraName.MatchString(extra.Name) || !printable || !short || len(kept) == methods.MaxExtras {
			continue
		}
		seen[extra.Name] = true
		kept = append(kept, store.Extra{Name: extra.Name, Value: store.HideDigits(extra.Value)})
	}
	return kept
}

// learnExtras keeps the pairs of an answer, and tells the log of those that cannot be used.
func (s *Settlement) learnExtras(a methods.Answer) {
	if len(a.Extras) == 0 {
		return
	}
	s.Transaction.Extras = usableExtras(a.Extras)
	if left := len(a.Extras) - len(s.Transaction.Extras); left > 0 {
		s.settler.Log.Warn("extras of a connector cannot be told", "transaction", s.Transaction.ID, "connector",
			s.Transaction.Connector, "left_out", left)
	}
}
