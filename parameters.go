package gateway

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// parameterFaults holds a session's parameters against the sets of the methods they are for, of the method the
// session is limited to, should it be only one, and of those named beside (SPEC2, "Resources and their fields").
// What the page can still ask the payer is no fault yet; what no set knows is kept and passed on. The MID's
// settings say what else it needs (decision w).
func (gw *Gateway) parameterFaults(r *SessionRequest, settings map[string]string, beside ...string) []refusal.Fault {
	sent, codes := sentParameters(r.Parameters)
	codes = distinct(append(codes, beside...))
	if r.Hosted && !slices.Contains(codes, "card") {
		codes = append(codes, "card")
	}
	if len(r.Methods) == 1 && !slices.Contains(codes, r.Methods[0]) {
		codes = append(codes, r.Methods[0])
	}
	ctx := gw.sessionContext(store.Kind(r.Operation), settings, requestFields(r))
	var faults []refusal.Fault
	for _, code := range codes {
		tree, ok := sent[code].(map[string]any)
		if !ok && !isEmpty(sent[code]) {
			faults = append(faults, refusal.Fault{Path: "parameters." + code, Text: "must be an object"})
			continue
		}
		faults = append(faults, faultsOf(gw.catalogue.Check(code, tree, methods.JSON, ctx))...)
	}
	return faults
}

// sessionContext is what rules look at while the page can still ask.
func (gw *Gateway) sessionContext(kind store.Kind, settings map[string]string, request map[string]string) methods.Context {
	options, _ := methods.OptionsOf(settings) // checked when they were saved
	return methods.Context{
		Operation: route.Charge(kind), Stage: methods.Hosted, MID: options, Request: request, Currencies: gw.currencies,
		ShortAmounts: true, // its own row has judged the amount by the mapping
	}
}

// isEmpty reports an object that is absent: null, "" or [], which is how PHP writes it (decision ap).
func isEmpty(value any) bool {
	list, isList := value.([]any)
	return value == nil || value == "" || isList && len(list) == 0
}

// sentParameters reads the parameters of a request by method code, in a steady order.
func sentParameters(text json.RawMessage) (sent map[string]any, codes []string) {
	if len(text) == 0 {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&sent) != nil {
		return nil, nil // the form has refused what is no object
	}
	for code := range sent {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return sent, codes
}

// requestFields are the fields of a session request that sets restrict, by their S2S names.
func requestFields(r *SessionRequest) map[string]string {
	payee := payee(r)
	return restricted(r.Order, store.Payer{Name: r.Customer.Name, Email: r.Customer.Email, Address: r.Billing}, &payee)
}

func restricted(order store.Order, payer store.Payer, payee *store.Payer) map[string]string {
	if payee == nil {
		payee = &store.Payer{}
	}
	payerFirst, payerLast := payer.Parts()
	payeeFirst, payeeLast := payee.Parts()
	return map[string]string{
		"order_id":          order.Number,
		"order_amount":      order.Amount,
		"order_currency":    order.Currency,
		"order_description": order.Description,
		"payer_first_name":  payerFirst,
		"payer_last_name":   payerLast,
		"payer_email":       payer.Email,
		"payer_phone":       payer.Address.Phone,
		"payer_country":     payer.Address.Country,
		"payee_first_name":  payeeFirst,
		"payee_last_name":   payeeLast,
		"payee_email":       payee.Email,
	}
}

// unknownMethods names the methods of a session that are not in the catalogue.
func (gw *Gateway) unknownMethods(r *SessionRequest) (faults []refusal.Fault) {
	for i, code := range r.Methods {
		if _, ok := gw.catalogue.Lookup(code); !ok {
			faults = append(faults, refusal.Fault{Path: "methods[" + strconv.Itoa(i) + "]", Text: fields.TextChoice})
		}
	}
	return faults
}
