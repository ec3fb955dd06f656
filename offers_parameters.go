package gateway

import (
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// parameterFaults checks a session's parameters against the sets of their methods (SPEC2, "Resources and their
// fields"). It also checks the methods in codes, and the session's method if there is only one. What the page can still
// ask the payer is no fault. What no set knows is kept and passed on. The MID's settings say what else it needs
// (decision w).
func (o *offers) parameterFaults(s *store.Session, sent map[string]any, codes []string,
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
	ctx := o.router.SessionContext(s, settings)
	var faults []refusal.Fault
	for _, code := range codes {
		tree, ok := sent[code].(map[string]any)
		if !ok && !isEmpty(sent[code]) {
			faults = append(faults, refusal.Fault{Path: "parameters." + code, Text: fields.TextObject})
			continue
		}
		faults = append(faults, o.router.Catalogue.Check(code, tree, methods.JSON, ctx)...)
	}
	return faults
}

// unknownMethods returns a fault for each method of a session that is not in the catalogue.
func (o *offers) unknownMethods(r *SessionRequest) (faults []refusal.Fault) {
	for i, code := range r.Methods {
		if _, ok := o.router.Catalogue.Lookup(code); !ok {
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
