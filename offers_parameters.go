package gateway

import (
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// parameterFaults holds a session's parameters against the sets of the methods they are for, of the method the
// session is limited to, should it be only one, and of those named beside (SPEC2, "Resources and their fields").
// What the page can still ask the payer is no fault yet; what no set knows is kept and passed on. The MID's
// settings say what else it needs (decision w).
func (o *offers) parameterFaults(r *SessionRequest, settings map[string]string, beside ...string) []refusal.Fault {
	sent, codes := fields.SentParameters(r.Parameters)
	codes = distinct(append(codes, beside...))
	if r.Hosted && !slices.Contains(codes, "card") {
		codes = append(codes, "card")
	}
	if len(r.Methods) == 1 && !slices.Contains(codes, r.Methods[0]) {
		codes = append(codes, r.Methods[0])
	}
	ctx := o.router.SessionContext(store.Kind(r.Operation), settings, requestFields(r))
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

// unknownMethods names the methods of a session that are not in the catalogue.
func (o *offers) unknownMethods(r *SessionRequest) (faults []refusal.Fault) {
	for i, code := range r.Methods {
		if _, ok := o.router.Catalogue.Lookup(code); !ok {
			faults = append(faults, refusal.Fault{Path: "methods[" + strconv.Itoa(i) + "]", Text: fields.TextChoice})
		}
	}
	return faults
}

// isEmpty reports an object that is absent: null, "" or [], which is how PHP writes it (decision ap).
func isEmpty(value any) bool {
	list, isList := value.([]any)
	return value == nil || value == "" || isList && len(list) == 0
}

// requestFields are the fields of a session request that sets restrict, by their S2S names.
func requestFields(r *SessionRequest) map[string]string {
	payee := payee(r)
	return charge.Restricted(r.Order, store.Payer{Name: r.Customer.Name, Email: r.Customer.Email, Address: r.Billing},
		&payee)
}

// put sets a value at a path through objects, making those that are missing.
func put(tree map[string]any, path []string, value string) {
	for _, step := range path[:len(path)-1] {
		next, ok := tree[step].(map[string]any)
		if !ok {
			next = map[string]any{}
			tree[step] = next
		}
		tree = next
	}
	tree[path[len(path)-1]] = value
}
