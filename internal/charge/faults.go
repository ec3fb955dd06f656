package charge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// CardFaults checks the card of a charge. A card method needs one; it is not expired, and its number does not begin
// with 0, 1 or 7, like that of no card network. A payout needs no expiry. A method that the protocol does not have is
// refused by its route.
func (ro *Router) CardFaults(protocol store.Protocol, method string, card *methods.Card, kind store.Kind,
	now time.Time) []refusal.Fault {
	known, _ := ro.Catalogue.Lookup(cmp.Or(method, "card"))
	if known.Kind != methods.KindCard || !known.ServesProtocol(protocol) {
		return nil
	}
	if card == nil || card.PAN.IsZero() {
		return []refusal.Fault{{Path: "card_number", Text: fields.TextBlank}}
	}
	var faults []refusal.Fault
	if strings.Contains("017", card.PAN.Digits()[:1]) {
		faults = append(faults, refusal.Fault{Path: "card_number", Text: fields.TextBrand})
	}
	if kind == store.Credit && card.Expiry == (store.Expiry{}) {
		return faults
	}
	// A card is good wherever its holder still has the last day of its month: until it ends at UTC-12.
	if err := card.Expiry.Check(now.Add(-12 * time.Hour)); err != nil {
		faults = append(faults, refusal.Fault{Path: "expiry", Text: err.Error()})
	}
	return faults
}

// ParameterFaults checks a session's parameters against the sets of their methods (SPEC2, "Resources and their
// fields"). It also checks the methods in codes, and the session's method if there is only one. What the page can still
// ask the payer is no fault. What no set knows is kept and passed on. The MID's settings say what else it needs
// (decision w).
func (ro *Router) ParameterFaults(s *store.Session, sent map[string]any, codes []string,
	settings map[string]string) []refusal.Fault {
	codes = distinct(codes)
	if s.Hosted && !slices.Contains(codes, "card") {
		codes = append(codes, "card")
	}
	if len(s.Methods) == 1 && !slices.Contains(codes, s.Methods[0]) {
		codes = append(codes, s.Methods[0])
	}
	if len(codes) == 0 {
		return nil
	}
	ctx := ro.SessionContext(s, settings)
	var faults []refusal.Fault
	for _, code := range codes {
		tree, ok := sent[code].(map[string]any)
		if !ok && !isEmpty(sent[code]) {
			faults = append(faults, refusal.Fault{Path: "parameters." + code, Text: fields.TextObject})
			continue
		}
		faults = append(faults, ro.Catalogue.Check(code, tree, methods.JSON, ctx)...)
	}
	return faults
}

// UnknownMethods returns a fault for each of a session's methods that is not in the catalogue.
func (ro *Router) UnknownMethods(codes []string) (faults []refusal.Fault) {
	for i, code := range codes {
		if _, ok := ro.Catalogue.Lookup(code); !ok {
			faults = append(faults, refusal.Fault{Path: "methods[" + strconv.Itoa(i) + "]", Text: fields.TextChoice})
		}
	}
	return faults
}

// isEmpty reports whether an object is absent: null, "" or [], as PHP writes it (decision ap).
func isEmpty(value any) bool {
	list, isList := value.([]any)
	return value == nil || value == "" || isList && len(list) == 0
}
