// Package methodstest is the contract of a connector as a test suite. The author of a connector runs it against
// the acquirer's test environment, or a recording of it:
//
//	func TestContract(t *testing.T) {
//		methodstest.Run(t, methodstest.Subject{
//			New:     func(testing.TB) methods.Connector { return acme.New(testAccount) },
//			Approve: func(op *methods.Operation) { op.Card = approvedCard },
//			Decline: func(op *methods.Operation) { op.Card = declinedCard },
//		})
//	}
//
// What a connector does not declare or implement, and what the Subject has no hooks for, is skipped by name, so
// that the output of go test -v shows how much of the contract was checked.
package methodstest

import (
	"slices"
	"testing"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Subject is a connector under test, with what the suite cannot know about its acquirer. New and Approve are
// required. The suite sets keys, amounts, order and return URLs. A hook that gets an operation adds the instrument
// and whatever else the acquirer needs (MID, Browser, Parameters).
type Subject struct {
	// New returns the connector: a new one for each check, or always the same.
	New func(tb testing.TB) methods.Connector
	// Approve changes op so that the acquirer approves it at once.
	Approve func(op *methods.Operation)
	// Decline changes op so that the acquirer declines it.
	Decline func(op *methods.Operation)
	// Away changes op so that the payer is sent to another page.
	Away func(op *methods.Operation)
	// Payout changes op, of kind CREDIT, so that the acquirer pays out, at once or later.
	Payout func(op *methods.Operation)
	// Calc changes op, of kind CALC or DEBIT, so that the acquirer reports a commission.
	Calc func(op *methods.Operation)
	// Open changes op so that the payer chooses the amount. The suite itself only marks the amount as open.
	Open func(op *methods.Operation)
	// Pay plays the payer of an open amount, who sees what a displays and pays amount.
	Pay func(tb testing.TB, c methods.Connector, op methods.Operation, a methods.Answer, amount store.Amount)
	// Payer plays the payer: it goes where a says, confirms, and returns what the browser brings back.
	Payer func(tb testing.TB, c methods.Connector, op methods.Operation, a methods.Answer) methods.Return
	// Notify returns the acquirer's genuine notification about op.
	Notify func(tb testing.TB, c methods.Connector, op methods.Operation) methods.Note
	// Stall makes the acquirer leave the next call for op unanswered.
	Stall func(tb testing.TB, c methods.Connector, op methods.Operation)
	// LoseRequest makes the next call for op fail before the acquirer has it.
	LoseRequest func(tb testing.TB, c methods.Connector, op methods.Operation)
	// LoseAnswer lets the acquirer do what the next call for op asks for, and makes its answer fail on the way.
	LoseAnswer func(tb testing.TB, c methods.Connector, op methods.Operation)
	// Fail makes the acquirer answer the next call for op with a status of HTTP, and do nothing. It is for connectors
	// over HTTP.
	Fail func(tb testing.TB, c methods.Connector, op methods.Operation, status int)
	// Effects returns how often the acquirer's own books have op's key.
	Effects func(tb testing.TB, c methods.Connector, op methods.Operation) int
	// Booked returns the amount and the currency that the acquirer's own books have under op's key.
	Booked func(tb testing.TB, c methods.Connector, op methods.Operation) (store.Amount, string)

	// Without names the operations that the acquirer does not have, like VOID.
	Without []store.Operation
	// Amount of a charge, with the decimals of the currency and divisible by two; 10.00 when zero.
	Amount store.Amount
	// Currency of all amounts; USD when empty.
	Currency string
	// Others are further currencies that the acquirer takes, with an amount of each that uses all its decimals:
	// {"JPY": "1000", "KWD": "1.234"}. A wrong exponent moves ten or a hundred times the money.
	Others map[string]string
	// Patience is how long one call may take, and how far it may outlast its context; 10 s when zero.
	Patience time.Duration
}

func (s Subject) filled() Subject {
	if s.Amount.IsZero() {
		s.Amount = store.MustAmount("10.00")
	}
	if s.Currency == "" {
		s.Currency = "USD"
	}
	if s.Patience == 0 {
		s.Patience = 10 * time.Second
	}
	return s
}

func (s Subject) has(kinds ...store.Operation) bool {
	return !slices.ContainsFunc(kinds, func(k store.Operation) bool { return slices.Contains(s.Without, k) })
}
