package gateway

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// check holds a request against the session table and names every field that fails, one fault a
// field, in the order of the table. The signature is not looked at.
func (f *form) check(r *SessionRequest) []refusal.Fault {
	faults := slices.Clone(r.Malformed)
	for i := range sessionFields {
		row := &sessionFields[i]
		if r.malformed(row.path) {
			continue
		}
		if fault := f.fault(row, r); fault.Text != "" {
			faults = append(faults, fault)
		}
	}
	slices.SortStableFunc(faults, func(a, b refusal.Fault) int { return cmp.Compare(place(a.Path), place(b.Path)) })
	return faults
}

// place is where in the table a fault belongs; what is of no row comes last.
func place(path string) int {
	path, _, _ = strings.Cut(path, "[")
	if path == "amount" { // decision ac
		path = "order.amount"
	}
	for i := range sessionFields {
		row := sessionFields[i].path
		if row == path || strings.HasPrefix(row, path+".") || strings.HasPrefix(path, row+".") {
			return i
		}
	}
	return len(sessionFields)
}

// fault is what is wrong with a field; its text is empty when nothing is.
func (f *form) fault(row *field, r *SessionRequest) refusal.Fault {
	if row.value == nil {
		return f.whole(row.path, r)
	}
	value := row.value(r)
	switch {
	case value != "":
		return refusal.Fault{Path: row.path,
			Text: cmp.Or(fields.Length(value, row.min, row.max), f.ruleFault(row, r, value), fields.Printable(value))}
	case row.needed(r):
		return refusal.Fault{Path: row.path, Text: fields.TextBlank}
	}
	return refusal.Fault{}
}

// whole checks what is no single text.
func (f *form) whole(path string, r *SessionRequest) refusal.Fault {
	switch path {
	case "methods":
		return methodFault(r.Methods)
	case "order.amount":
		return f.amountFault(r)
	case "session_expiry":
		if r.Expiry != nil && (*r.Expiry < 1 || *r.Expiry > 720) {
			return refusal.Fault{Path: path, Text: "must be within 1..720"}
		}
	case "parameters":
		return objectFault(path, r.Parameters, maxParameters)
	case "custom_data":
		return customFault(r.CustomData)
	case "auth":
		return misplaced(path, r.Hold, r, store.Purchase)
	case "vat_calc":
		return f.taxFault(path, r)
	case "req_token":
		return misplaced(path, r.Extra.ReqToken, r, store.Purchase, store.Debit)
	case "recurring_init":
		return misplaced(path, r.Extra.RecurringInit, r, store.Purchase, store.Debit)
	case "moto_type":
		if fault := misplaced(path, r.Extra.MOTOType != "", r, store.Purchase); fault.Text != "" || r.Extra.MOTOType == "" {
			return fault
		}
		if !oneOf("phone_moto", "email_moto", "default_moto", "ecommerce")(f, r, r.Extra.MOTOType) {
			return refusal.Fault{Path: path, Text: fields.TextChoice}
		}
	case "payee":
		return misplaced(path, r.Extra.Payee != nil || r.PayeeBilling != (store.Address{}), r, store.Transfer, store.Credit)
	case "card_token":
		if fault := misplaced(path, len(r.Extra.CardTokens) > 0, r, store.Purchase, store.Debit,
			store.Credit); fault.Text != "" {
			return fault
		}
		return tokenFault(r.Extra.CardTokens)
	case "hash":
		if r.Proof != nil && r.Proof.Hash == "" {
			return refusal.Fault{Path: path, Text: fields.TextBlank}
		}
	}
	return refusal.Fault{}
}

// misplaced is a field that is set on an operation that does not take it (SPEC1, "Operation-specific
// fields"). Fields whose value says nothing, such as auth false, may stand anywhere.
func misplaced(path string, set bool, r *SessionRequest, kinds ...store.Kind) refusal.Fault {
	if !set || slices.Contains(kinds, store.Kind(r.Operation)) ||
		!slices.Contains(store.Kinds(), store.Kind(r.Operation)) {
		return refusal.Fault{}
	}
	return refusal.Fault{Path: path, Text: "is not for operation " + r.Operation}
}

// taxFault: the tax of a purchase can be asked for where the host has a quoter (decision bm).
func (f *form) taxFault(path string, r *SessionRequest) refusal.Fault {
	fault := misplaced(path, r.Extra.VATCalc, r, store.Purchase)
	if fault.Text == "" && r.Extra.VATCalc && !f.quotes {
		return refusal.Fault{Path: path, Text: "is not available: this gateway computes no VAT"}
	}
	return fault
}

func (f *form) ruleFault(row *field, r *SessionRequest, value string) string {
	switch {
	case row.rule != nil && !row.rule(f, r, value):
		return row.text
	case !slices.Contains(numbersOf, row.path) && store.HoldsPAN(value):
		return fields.TextCard
	}
	return ""
}

// byCrypto reports a session that can be paid in crypto only (decision ay).
func (f *form) byCrypto(r *SessionRequest) bool {
	return len(r.Methods) > 0 && !slices.ContainsFunc(r.Methods, func(code string) bool { return !f.crypto(code) })
}

// amountFault checks order.amount by the currency's format. Nothing is asked for in crypto when the
// payer enters the amount elsewhere; nothing at all is a price only where it only verifies a card
// (SPEC1, zero amounts; decision ac for the text).
func (f *form) amountFault(r *SessionRequest) refusal.Fault {
	currency, known := f.currencies.Lookup(r.Order.Currency)
	switch {
	case r.Order.Amount == "" && r.Operation == string(store.Purchase) && (known && currency.Crypto || f.byCrypto(r)):
		return refusal.Fault{} // the payer enters it elsewhere
	case r.Order.Amount == amountOpen && r.Operation == string(store.Transfer):
		return refusal.Fault{} // the page asks for it
	case r.Order.Amount == "":
		return refusal.Fault{Path: "order.amount", Text: fields.TextBlank}
	case strings.HasPrefix(r.Order.Amount, "-") && plainAmount(r.Order.Amount[1:]):
		return refusal.Fault{Path: "order.amount", Text: fields.TextPositive}
	case !known: // the currency is named too; its format is not known
		return refusal.Fault{}
	}
	amount, err := methods.ParseAmount(methods.Checkout.Short(r.short), currency, r.Order.Amount)
	switch {
	case err != nil:
		return refusal.Fault{Path: "order.amount", Text: err.Error()}
	case amount.IsZero() && !r.Hold && !r.Extra.RecurringInit:
		return refusal.Fault{Path: "amount", Text: fields.TextPositive}
	}
	return refusal.Fault{}
}

// chosenAmount takes the amount that the payer of a transfer entered.
func (f *form) chosenAmount(order *store.Order, m *store.Mapping, text string) []refusal.Fault {
	currency, _ := f.currencies.Lookup(order.Currency)
	amount, err := methods.ParseAmount(methods.Checkout.Short(m.ShortAmounts), currency, text)
	switch {
	case err != nil:
		return []refusal.Fault{{Path: "amount", Text: err.Error()}}
	case amount.IsZero():
		return []refusal.Fault{{Path: "amount", Text: fields.TextPositive}}
	}
	order.Amount = text
	return nil
}

func methodFault(list []string) refusal.Fault {
	if len(list) > 100 {
		return refusal.Fault{Path: "methods", Text: "at most 100"}
	}
	for i, method := range list {
		if method == "" || len(method) > 64 || !fields.IsPrintable(method) {
			return refusal.Fault{Path: fmt.Sprintf("methods[%d]", i), Text: fields.TextInvalid}
		}
	}
	return refusal.Fault{}
}

func tokenFault(list []string) refusal.Fault {
	if len(list) > 100 {
		return refusal.Fault{Path: "card_token", Text: "at most 100"}
	}
	for i, token := range list {
		if len(token) != 64 {
			return refusal.Fault{Path: fmt.Sprintf("card_token[%d]", i), Text: "must have 64 characters"}
		}
		if !fields.IsPrintable(token) {
			return refusal.Fault{Path: fmt.Sprintf("card_token[%d]", i), Text: fields.TextPrintable}
		}
	}
	return refusal.Fault{}
}

// faultAt holds one field of a request against its row.
func (f *form) faultAt(path string, r *SessionRequest) refusal.Fault {
	i := slices.IndexFunc(sessionFields, func(row field) bool { return row.path == path })
	return f.fault(&sessionFields[i], r)
}
