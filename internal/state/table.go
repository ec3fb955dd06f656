package state

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// The transaction statuses in callbacks (checkout.md, callback parameter status).
const (
	success   = "success"
	fail      = "fail"
	waiting   = "waiting"
	undefined = "undefined"
)

// rule is a line of the table before it is spread over its kinds and statuses. An empty To keeps the status.
type rule struct {
	kinds []store.Kind
	from  []store.Status
	op    store.Operation
	event Event
	guard Guard
	row   Row
}

var (
	purchase = []store.Kind{store.Purchase}
	debit    = []store.Kind{store.Debit}
	transfer = []store.Kind{store.Transfer}
	credit   = []store.Kind{store.Credit}
	held     = []store.Kind{store.Purchase, store.Debit} // kinds a MID in DMS mode can hold

	fresh     = []store.Status{store.New}
	open      = []store.Status{store.Prepare, store.ThreeDS, store.Redirected}
	openHold  = []store.Status{store.Prepare, store.ThreeDS, store.Redirected, store.Pending}
	away      = []store.Status{store.ThreeDS, store.Redirected}
	prepare   = []store.Status{store.Prepare}
	pending   = []store.Status{store.Pending}
	settled   = []store.Status{store.Settled}
	declined  = []store.Status{store.Declined}
	refunding = []store.Status{store.Settled, store.Refunded}
	// A refund that is under way when the dispute comes still moves money, but not the status.
	disputed = []store.Status{store.Disputed}
)

// charge is the life of a first operation that ends in SETTLED (lifecycle.md, "Transitions"). name is its callback
// type.
func charge(kinds []store.Kind, op store.Operation, name string) []rule {
	return []rule{
		{kinds, fresh, op, Start, Always, Row{store.Prepare, "", ""}},
		{kinds, open, op, Approved, Always, Row{store.Settled, name, success}},
		{kinds, open, op, Refused, Always, Row{store.Declined, name, fail}},
		{kinds, open, op, ThreeDS, Always, Row{store.ThreeDS, "3ds", success}},
		{kinds, open, op, Redirect, Always, Row{store.Redirected, "redirect", success}},
		{kinds, open, op, Waiting, Always, Row{store.Prepare, name, waiting}},
		{kinds, open, op, Unknown, Always, Row{"", name, undefined}},
	}
}

// confirmed is the life of a crypto payment: an address is ready, and payer or chain take their time (lifecycle.md,
// "PENDING (crypto)"; the result INIT is no status).
func confirmed(kinds []store.Kind, op store.Operation, name string) []rule {
	return []rule{
		{kinds, open, op, Init, Always, Row{store.Pending, "init", success}},
		{kinds, pending, op, Init, Always, Row{"", "init", success}},
		{kinds, pending, op, Approved, Always, Row{store.Settled, name, success}},
		{kinds, pending, op, Refused, Always, Row{store.Declined, name, fail}},
		{kinds, pending, op, Waiting, Always, Row{"", name, waiting}},
		{kinds, pending, op, Unknown, Always, Row{"", name, undefined}},
	}
}

// retry is a repeated charge of a later payment of a chain: the payment stays declined until the charge succeeds
// (lifecycle.md, "DECLINED (soft, recurring)").
func retry(kinds []store.Kind, op store.Operation, to store.Status) []rule {
	return []rule{
		{kinds, declined, op, Start, Always, Row{}},
		{kinds, declined, op, Approved, Always, Row{to, "recurring", success}},
		{kinds, declined, op, Refused, Always, Row{"", "recurring", fail}},
		{kinds, declined, op, Waiting, Always, Row{"", "recurring", waiting}},
		{kinds, declined, op, Unknown, Always, Row{"", "recurring", undefined}},
	}
}

// calc is the first of the two steps of a debit whose commission is reported first (s2s_apm.md,
// DEBIT2VIRTUAL_CALC); the second is a charge that begins in PREPARE.
func calc() []rule {
	return []rule{
		{debit, fresh, store.OpCalc, Start, Always, Row{store.Prepare, "", ""}},
		{debit, prepare, store.OpCalc, Approved, Always, Row{"", "calc", success}},
		{debit, prepare, store.OpCalc, Refused, Always, Row{store.Declined, "calc", fail}},
		{debit, prepare, store.OpCalc, Waiting, Always, Row{"", "calc", waiting}},
		{debit, prepare, store.OpCalc, Unknown, Always, Row{"", "calc", undefined}},
		{debit, prepare, store.OpDebit, Start, Always, Row{}},
	}
}

// hold is the life of an authorization: like charge, but success is PENDING, and so is an unknown outcome (if the
// provider is unsure: PREPARE, or PENDING for auth). name is its callback type. An acquirer that was not sure may
// still send the payer on.
func hold(kinds []store.Kind, name string) []rule {
	op := store.OpAuth
	return []rule{
		{kinds, fresh, op, Start, Always, Row{store.Prepare, "", ""}},
		{kinds, openHold, op, Approved, Always, Row{store.Pending, name, success}},
		{kinds, openHold, op, Refused, Always, Row{store.Declined, name, fail}},
		{kinds, openHold, op, ThreeDS, Always, Row{store.ThreeDS, "3ds", success}},
		{kinds, openHold, op, Redirect, Always, Row{store.Redirected, "redirect", success}},
		{kinds, openHold, op, Waiting, Always, Row{store.Prepare, name, waiting}},
		{kinds, away, op, Unknown, Always, Row{"", name, undefined}},
		{kinds, prepare, op, Unknown, Always, Row{store.Pending, name, undefined}},
		{kinds, pending, op, Unknown, Always, Row{"", name, undefined}},
	}
}

// follow is the life of an operation on an existing payment: success moves it to a status, everything else leaves
// it as it is. late is the callback status of a pending answer: captures and voids have only undefined
// (callbacks.md, "Which transactions produce a callback").
func follow(kinds []store.Kind, from []store.Status, op store.Operation, to store.Status, name, late string) []rule {
	return []rule{
		{kinds, from, op, Start, Always, Row{}},
		{kinds, from, op, Approved, Always, Row{to, name, success}},
		{kinds, from, op, Refused, Always, Row{"", name, fail}},
		{kinds, from, op, Waiting, Always, Row{"", name, late}},
		{kinds, from, op, Unknown, Always, Row{"", name, undefined}},
	}
}

func rules() []rule {
	return slices.Concat(
		charge(purchase, store.OpSale, "sale"),
		charge(debit, store.OpDebit, "debit"),
		charge(transfer, store.OpTransfer, "transfer"),
		charge(credit, store.OpCredit, "credit"),
		confirmed(purchase, store.OpSale, "sale"),
		confirmed(credit, store.OpCredit, "credit"),
		retry(purchase, store.OpSale, store.Settled),
		retry(debit, store.OpDebit, store.Settled),
		retry(held, store.OpAuth, store.Pending),
		calc(),
		hold(purchase, "sale"),
		hold(debit, "debit"), // decision ax
		// Checkout has prepare for whatever waits (callbacks.md); S2S CARD has PENDING beside UNDEFINED for an
		// authorization (s2s_card.md, SALE).
		[]rule{{purchase, openHold, store.OpAuth, Waiting, OnCard, Row{store.Pending, "sale", waiting}}},
		follow(held, pending, store.OpCapture, store.Settled, "capture", undefined),
		follow(held, settled, store.OpVoid, store.Voided, "void", undefined),
		// A reversal is reported as type refund with order_status reversal (SPEC1; decision f).
		follow(held, pending, store.OpReversal, store.Reversed, "refund", waiting),
		follow(debit, settled, store.OpReversal, store.Reversed, "refund", waiting),
		follow(purchase, refunding, store.OpRefund, store.Refunded, "refund", waiting),
		[]rule{{purchase, refunding, store.OpRefund, Approved, Kept, Row{"", "refund", success}}},
		follow(purchase, disputed, store.OpRefund, store.Disputed, "refund", waiting),
		[]rule{
			{purchase, refunding, store.OpChargeback, Approved, Always, Row{store.Disputed, "chargeback", success}},
			{debit, settled, store.OpChargeback, Approved, Always, Row{store.Disputed, "chargeback", success}},
		},
	)
}

var transitions = spread(rules())

func spread(rules []rule) map[Key]Row {
	table := map[Key]Row{}
	for _, r := range rules {
		for _, kind := range r.kinds {
			for _, from := range r.from {
				row := r.row
				if row.To == "" {
					row.To = from
				}
				table[Key{kind, from, r.op, r.event, r.guard}] = row
			}
		}
	}
	return table
}

type followKey struct {
	kind   store.Kind
	status store.Status
	ask    Request
}

// follows lists the allowed follow-ups (SPEC1, "States and transitions"). The kernel checks amounts, the financial
// day and other operations under way.
var follows = map[followKey]store.Operation{
	{store.Purchase, store.Pending, Capture}: store.OpCapture,
	{store.Debit, store.Pending, Capture}:    store.OpCapture,

	{store.Purchase, store.Settled, Void}: store.OpVoid,
	{store.Debit, store.Settled, Void}:    store.OpVoid, // decision az

	{store.Purchase, store.Pending, CreditVoid}:  store.OpReversal,
	{store.Purchase, store.Settled, CreditVoid}:  store.OpRefund,
	{store.Purchase, store.Refunded, CreditVoid}: store.OpRefund,
	{store.Debit, store.Pending, CreditVoid}:     store.OpReversal,
	{store.Debit, store.Settled, CreditVoid}:     store.OpReversal,

	{store.Purchase, store.Settled, Chargeback}:  store.OpChargeback,
	{store.Purchase, store.Refunded, Chargeback}: store.OpChargeback,
	{store.Debit, store.Settled, Chargeback}:     store.OpChargeback,

	{store.Debit, store.Prepare, Complete}: store.OpDebit,

	{store.Purchase, store.Declined, Retry}: store.OpSale,
	{store.Debit, store.Declined, Retry}:    store.OpDebit,
}
