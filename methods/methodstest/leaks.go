package methodstest

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/methods"
)

// leaks returns the parts of an answer that hold a card number or an authentication value, or the security code in
// free text.
func leaks(op methods.Operation, a methods.Answer) []string {
	texts := map[string]string{"Cause": a.Cause, "Reason": a.Reason, "Continuation": string(a.Continuation),
		"Reference": a.Reference}
	if a.Redirect != nil {
		texts["Redirect.URL"] = a.Redirect.URL
		for _, param := range a.Redirect.Params {
			texts["Redirect."+param.Name] = param.Value
		}
	}
	var found []string
	for name, text := range texts {
		code := op.Card != nil && (name == "Cause" || name == "Reason") && slices.Contains(words(text), op.Card.Code.Digits())
		mpi := op.MPI != nil && op.MPI.AuthenticationValue != "" && strings.Contains(text, op.MPI.AuthenticationValue)
		if code || mpi || holdsCard(text, op.Card) || holdsCard(text, op.PayeeCard) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

func holdsCard(text string, card *methods.Card) bool {
	return card != nil && holdsNumber(text, card.PAN.Digits())
}

// holdsNumber finds digits in a row, or grouped as people write them.
func holdsNumber(text, digits string) bool {
	plain := strings.NewReplacer(" ", "", "-", "", "+", "", "%20", "").Replace(text)
	return digits != "" && strings.Contains(plain, digits)
}

// words returns the runs of digits of a text, none of them empty.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}
