package gateway

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// asked is a session request, with what else its rules need.
type asked struct {
	*form
	*SessionRequest
}

// maxName bounds in characters customer.name and the name on a card (SPEC1).
const maxName = 200

func plain(rule fields.ValueRule) fields.Rule[asked] { return fields.Plain[asked](rule) }

// is makes a rule of a condition on the request, which has a form.
func is(sound func(a asked, value string) bool, text string, form fields.Form) fields.Rule[asked] {
	return fields.Rule[asked]{Form: form, Check: func(a asked, value string) string {
		return fields.Sound(sound(a, value), text)
	}}
}

func isOperation(a asked, value string) bool {
	return slices.Contains(fields.SessionKinds(a.Hosted), store.Kind(value))
}

func isCurrency(a asked, value string) bool {
	_, ok := a.currencies.Lookup(value)
	return ok
}

// isLatin accepts a bounded number of Latin letters; letters of every script if the mapping has AnyName.
func isLatin(shortest, longest int) fields.Rule[asked] {
	return is(func(a asked, value string) bool { return fields.IsLatin(value, shortest, longest, a.anyName) },
		fields.TextLatin(shortest, longest), fields.LatinForm(shortest, longest))
}

func isBirthDate(a asked, value string) bool { return fields.IsBirthDate(value, a.now()) }

func withRecurring(a asked, _ string) bool { return a.Extra.RecurringInit }

func isStartDate(a asked, value string) bool {
	return a.Extra.ScheduleID != "" && fields.IsStartDate(value, a.now())
}

func isScheduleAmount(a asked, value string) bool {
	return a.Extra.ScheduleID != "" && a.isPositive(methods.Checkout.Short(a.short), a.Order.Currency, value)
}

// onlyFor refuses a field on an operation that does not take it.
func onlyFor(kinds ...store.Kind) fields.Rule[asked] {
	return fields.Asks(fields.ForKinds(kinds), func(a asked, _ string) string { return a.notFor(kinds) })
}

func (a asked) notFor(kinds []store.Kind) string {
	if !slices.Contains(store.Kinds(), store.Kind(a.Operation)) || slices.Contains(kinds, store.Kind(a.Operation)) {
		return ""
	}
	return "is not for operation " + a.Operation
}

// misplaced reports a field that is set on an operation that does not take it (SPEC1, "Operation-specific fields").
// A field whose value means nothing, like auth false, is accepted everywhere.
func (a asked) misplaced(path string, set bool, kinds ...store.Kind) []refusal.Fault {
	if !set {
		return nil
	}
	if text := a.notFor(kinds); text != "" {
		return []refusal.Fault{{Path: path, Text: text}}
	}
	return nil
}

// taxFault refuses a request for the tax of a purchase if the host has no Quoter (decision bm).
func taxFault(a asked) []refusal.Fault {
	faults := a.misplaced("vat_calc", a.Extra.VATCalc, store.Purchase)
	if faults == nil && a.Extra.VATCalc && !a.quotes {
		return []refusal.Fault{{Path: "vat_calc", Text: "is not available: this gateway computes no VAT"}}
	}
	return faults
}

func expiryFault(a asked) []refusal.Fault {
	if a.Expiry != 0 && (a.Expiry < time.Minute || a.Expiry > 720*time.Minute) {
		return []refusal.Fault{{Path: "session_expiry", Text: fields.TextWithin(1, 720)}}
	}
	return nil
}

func parametersFault(a asked) []refusal.Fault {
	return one(sealedFault(a.Parameters))
}

// hashFault refuses a request of the wire without a signature. The signature itself is checked later.
func hashFault(a asked) []refusal.Fault {
	if a.Proof != nil && a.Proof.Hash == "" {
		return []refusal.Fault{{Path: "hash", Text: fields.TextBlank}}
	}
	return nil
}

// amountFault checks order.amount by the currency's format. Zero is an amount only in crypto, if the payer enters it
// elsewhere, and where it only verifies a card (SPEC1, zero amounts; decision ac for the text).
func amountFault(a asked) []refusal.Fault {
	currency, known := a.currencies.Lookup(a.Order.Currency)
	switch {
	case a.Order.Amount == "" && a.Operation == string(store.Purchase) && (known && currency.Crypto || a.byCrypto()):
		return nil // the payer enters it elsewhere
	case a.Order.Amount == amountOpen && a.Operation == string(store.Transfer):
		return nil // the page asks for it
	case a.Order.Amount == "":
		return []refusal.Fault{{Path: "order.amount", Text: fields.TextBlank}}
	case strings.HasPrefix(a.Order.Amount, "-") && plainAmount(a.Order.Amount[1:]):
		return []refusal.Fault{{Path: "order.amount", Text: fields.TextPositive}}
	case !known: // the currency is named too; its format is not known
		return nil
	}
	switch err := methods.CheckAmount(methods.Checkout.Short(a.short), currency, a.Order.Amount); {
	case err != nil:
		return []refusal.Fault{{Path: "order.amount", Text: err.Error()}}
	case fields.IsZero(a.Order.Amount) && !a.Hold && !a.Extra.RecurringInit:
		return []refusal.Fault{{Path: "amount", Text: fields.TextPositive}}
	}
	return nil
}

// byCrypto reports whether a session can be paid in crypto only (decision ay).
func (a asked) byCrypto() bool {
	return len(a.Methods) > 0 && !slices.ContainsFunc(a.Methods, func(code string) bool { return !a.crypto(code) })
}

func methodFaults(a asked) []refusal.Fault {
	if len(a.Methods) > fields.Many {
		return []refusal.Fault{{Path: "methods", Text: fields.TextMany}}
	}
	for i, method := range a.Methods {
		if method == "" || len(method) > 64 || !fields.IsPrintable(method) {
			return []refusal.Fault{{Path: fmt.Sprintf("methods[%d]", i), Text: fields.TextInvalid}}
		}
	}
	return nil
}

func cardTokenFaults(a asked) []refusal.Fault {
	tokens := a.Extra.CardTokens
	if faults := a.misplaced("card_token", len(tokens) > 0, store.Purchase, store.Debit, store.Credit); faults != nil {
		return faults
	}
	if len(tokens) > fields.Many {
		return []refusal.Fault{{Path: "card_token", Text: fields.TextMany}}
	}
	for i, token := range tokens {
		if text := cmp.Or(fields.CardToken.Check(token), fields.Printable(token)); text != "" {
			return []refusal.Fault{{Path: fmt.Sprintf("card_token[%d]", i), Text: text}}
		}
	}
	return nil
}
