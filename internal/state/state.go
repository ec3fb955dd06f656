// Package state is the state table of payments: every status of a payment, which requests it allows, and where each
// outcome leads. It is pure data and two look-ups; the kernel applies the results. The table transcribes SPEC1,
// "States and transitions", completed by lifecycle.md.
package state

import "github.com/tollgatepay/gateway/store"

//go:generate go test . -run ^TestPage$ -rewrite

// Event is what happened to a running transaction.
type Event string

// The events. Start is the commit of the intent; the others come from a connector's answer.
const (
	Start    Event = "start"
	Approved Event = "approved"
	Refused  Event = "declined"
	ThreeDS  Event = "3ds"      // the payer has to go to the issuer
	Redirect Event = "redirect" // the payer has to go to a third party
	Waiting  Event = "waiting"  // accepted, the outcome comes later
	Init     Event = "init"     // in crypto: an address is ready, the chain confirms later
	Unknown  Event = "unknown"  // the effect is not known
)

// Events lists every event.
func Events() []Event {
	return []Event{Start, Approved, Refused, ThreeDS, Redirect, Waiting, Init, Unknown}
}

// Guard is a condition that chooses between two rows of one outcome.
type Guard string

// The guards. Kept is for a partial refund under the mapping option partial_refund_status: settled (decision n), OnCard
// for a payment of S2S CARD, which has a status of its own for a hold that is not decided.
const (
	Always Guard = ""
	Kept   Guard = "a partial refund, and the mapping keeps SETTLED"
	OnCard Guard = "on S2S CARD"
)

// Guards lists every guard.
func Guards() []Guard { return []Guard{Always, Kept, OnCard} }

// Key finds a row.
type Key struct {
	Kind  store.Kind
	From  store.Status
	Op    store.Operation
	Event Event
	Guard Guard
}

// Row is where an event leads and what is reported to the merchant. Type is the Checkout callback type and Status
// the transaction's status in it; an empty Type sends no callback.
type Row struct {
	To     store.Status
	Type   string
	Status string
}

// Next finds the row of an event. ok is false if there is none: the event cannot happen there. A guard without a
// row uses the row of Always.
func Next(k Key) (row Row, ok bool) {
	if row, ok = transitions[k]; !ok && k.Guard != Always {
		k.Guard = Always
		row, ok = transitions[k]
	}
	return row, ok
}

// Rule is a row of the table with its key.
type Rule struct {
	Key
	Row
}

// Rows returns a new list of the whole table in the order of a payment's life: by kind, then by status, operation,
// event and guard. It is for the documentation of the states and for tests that cover every row.
func Rows() []Rule {
	rows := make([]Rule, 0, len(transitions))
	for _, kind := range store.Kinds() {
		for _, from := range append([]store.Status{store.New}, store.Statuses()...) {
			rows = append(rows, rowsAt(kind, from)...)
		}
	}
	return rows
}

func rowsAt(kind store.Kind, from store.Status) (rows []Rule) {
	for _, op := range store.Operations() {
		for _, event := range Events() {
			for _, guard := range Guards() {
				key := Key{kind, from, op, event, guard}
				if row, ok := transitions[key]; ok {
					rows = append(rows, Rule{key, row})
				}
			}
		}
	}
	return rows
}

// Request is a follow-up that a merchant or an acquirer requests for a payment.
type Request string

// The follow-ups.
const (
	Capture    Request = "CAPTURE"
	Void       Request = "VOID"
	CreditVoid Request = "CREDITVOID" // refund or reversal, by the payment's status
	Chargeback Request = "CHARGEBACK"
	Complete   Request = "COMPLETE" // DEBIT2VIRTUAL_COMPLETE: a debit whose commission was reported
	Retry      Request = "RETRY"    // of a later payment of a chain, softly declined
)

// Requests lists every follow-up.
func Requests() []Request { return []Request{Capture, Void, CreditVoid, Chargeback, Complete, Retry} }

// Follow returns the operation for a follow-up by the payment's status. ok is false if it is not allowed.
func Follow(kind store.Kind, status store.Status, ask Request) (op store.Operation, ok bool) {
	op, ok = follows[followKey{kind, status, ask}]
	return op, ok
}
