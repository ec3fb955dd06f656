package fields

import "github.com/tollgatepay/gateway/contract"

// Form is what a description says of a value, beside the rule that checks it.
type Form = contract.Form

// Row is a field as a description tells it.
type Row = contract.Row

// ValueRule is what is asked of a value by itself. The values are texts as they were sent, and never empty.
type ValueRule struct {
	Check func(value string) string // what is wrong with a value, "" when it is sound
	Form  Form
}

// Rule is what is asked of a value in its request.
type Rule[R any] struct {
	Check func(request R, value string) string // what is wrong with a value, "" when it is sound
	Form  Form
}

// Plain is a rule that looks at the value alone.
func Plain[R any](rule ValueRule) Rule[R] {
	return Rule[R]{Form: rule.Form, Check: func(_ R, value string) string { return rule.Check(value) }}
}

// Asks makes a rule that looks at the request, and says in words what it asks.
func Asks[R any](words string, check func(request R, value string) string) Rule[R] {
	return Rule[R]{Form: Form{Words: words}, Check: check}
}

// Need says when a field is required. The zero value: never.
type Need[R any] struct {
	When func(R) bool
	Says string // the same in words; "" for always
}

// Always requires a field.
func Always[R any]() Need[R] { return Need[R]{When: func(R) bool { return true }} }

// If requires a field under a condition, which is said in words.
func If[R any](says string, when func(R) bool) Need[R] { return Need[R]{When: when, Says: says} }

// The conditions of session fields by the protocol that they come with.
const (
	OfHosted   = "with Hosted Payment Fields"
	OfCheckout = "with Checkout"
)

// Requirement tells whether a field has to be sent, and under which condition.
func (n Need[R]) Requirement() (r contract.Requirement, condition string) {
	switch {
	case n.When == nil:
		return contract.Optional, ""
	case n.Says == "":
		return contract.Required, ""
	}
	return contract.Conditional, n.Says
}
