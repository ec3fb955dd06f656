// Package state is the state table of payments: every status a payment can have, what may be asked of
// it there, and where each outcome leads. It is pure data and two look-ups; the kernel applies what they
// answer. The table transcribes SPEC1, "States and transitions", completed by lifecycle.md.
package state

import "github.com/tollgatepay/gateway/store"

//go:generate go test . -run ^TestPage$ -rewrite

// Event is what happened to a running transaction.
type Event string

// The events. Start is the commit of the intent; the others are what a connector's answer comes to.
const (
	Start    Event = "start"
	Approved Event = "approved"
	Refused  Event = "declined"
	ThreeDS  Event = "3ds"      // the payer has to go to the issuer
	Redirect Event = "redirect" // the payer has to go to a third party
	Waiting  Event = "waiting"  // accepted, the outcome comes later
	Init     Event = "init"     // in crypto: an address is ready, the chain confirms later
	Unknown  Event = "unknown"  // something may have happened
)

// Events lists every event.
func Events() []Event {
	return []Event{Start, Approved, Refused, ThreeDS, Redirect, Waiting, Init, Unknown}
}

// Guard is a condition that chooses between two rows of one outcome.
type Guard string

// The guards. Kept holds for a refund that leaves something, under the mapping option
// partial_refund_status: settled (decision n).
const (
	Always Guard = ""
	Kept   Guard = "something left, and the mapping keeps SETTLED"
)

// Key finds a row.
type Key struct {
	Kind  store.Kind
	From  store.Status
	Op    store.Operation
	Event Event
	Guard Guard
}

// Row says where an event leads and what the merchant is told. Type is the Checkout callback type and
// Status the state of the transaction in it; an empty Type queues no callback.
type Row struct {
	To     store.Status
	Type   string
	Status string
}

// Next finds the row of an event. ok is false when the table has none: the event cannot happen there.
// A guard that has no row of its own falls back to Always.
func Next(k Key) (row Row, ok bool) {
	if row, ok = transitions[k]; !ok && k.Guard != Always {
		k.Guard = Always
		row, ok = transitions[k]
	}
	return row, ok
}

// Rule is a row of the table with the key that finds it.
type Rule struct {
	Key
	Row
}

// Rows lists the whole table in the order of a payment's life: by kind, then by the status it starts
// from, the operation, the event and the guard. Every call makes a list of its own. It is for those who
// have to cover every row: the page of the states, and the tests of what merchants are told.
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
			for _, guard := range []Guard{Always, Kept} {
				key := Key{kind, from, op, event, guard}
				if row, ok := transitions[key]; ok {
					rows = append(rows, Rule{key, row})
				}
			}
		}
	}
	return rows
}

// Request is a follow-up that a merchant or an acquirer asks of a payment.
type Request string

// The follow-ups.
const (
	Capture    Request = "CAPTURE"
	Void       Request = "VOID"
	CreditVoid Request = "CREDITVOID" // refund or reversal, as the payment stands
	Chargeback Request = "CHARGEBACK"
	Complete   Request = "COMPLETE" // DEBIT2VIRTUAL_COMPLETE: the debit whose commission was told
	Retry      Request = "RETRY"    // of a later payment of a chain, softly declined
)

// Requests lists every follow-up.
func Requests() []Request { return []Request{Capture, Void, CreditVoid, Chargeback, Complete, Retry} }

// Follow says which operation a follow-up comes to on a payment as it stands. ok is false when it is
// not allowed there.
func Follow(kind store.Kind, status store.Status, ask Request) (op store.Operation, ok bool) {
	op, ok = follows[followKey{kind, status, ask}]
	return op, ok
}
