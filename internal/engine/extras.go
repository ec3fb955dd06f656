package engine

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// extraName matches the allowed names of a connector's own pairs.
var extraName = regexp.MustCompile(`\A[A-Za-z0-9_.-]{1,64}\z`)

// usableExtras returns the connector's own pairs that callbacks may repeat (decision av): at most MaxExtras,
// each name once. Other pairs are dropped. A value may contain a card number, which is masked.
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

// learnExtras stores the pairs of an answer, and logs those that cannot be used.
func (s *Settlement) learnExtras(a methods.Answer) {
	if len(a.Extras) == 0 {
		return
	}
	s.Transaction.Extras = usableExtras(a.Extras)
	if left := len(a.Extras) - len(s.Transaction.Extras); left > 0 {
		s.settler.Log.Warn("extras of a connector are left out", "transaction", s.Transaction.ID, "connector",
			s.Transaction.Connector, "left_out", left)
	}
}
