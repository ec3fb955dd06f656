package sim

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// acquirer is the acquirer of both connectors, with its own ledger by the key of each request. It does what is
// requested, even if that is wrong, and reports the fault.
type acquirer struct {
	w     *World
	rows  map[string]*entry // by key, or by key and number of a second effect
	keys  map[string]string // transaction id to key
	sends map[string]int
	coded map[string]bool // sent with a security code
	// misled and unseen hold transactions: those with a wrong answer, and those that were not found.
	misled, unseen map[string]bool
	// told is when an intent, or the newest answer that leaves it open, was committed, by transaction.
	told map[string]time.Time
	// returns are those that connectors got, by key.
	returns map[string]*sentReturns
}

// entry is a row of the ledger.
type entry struct {
	key, transaction string
	connector        int
	operation        string
	amount           money
	text             string // of the amount
	currency         string
	op               methods.Operation // as first received, without the card
	state            entryState
	verdict          bool // the final result, once decided
	soft             bool
	reason           string
	effects          int
	at               time.Time // world time of the next change
	parent           string
	captured         money // of a charge
	refunded         money
	closed           bool     // voided or reversed
	proof            string   // of the payer's current step
	step             string   // the same, by its continuation
	passed           []string // earlier steps
	taken            bool     // the return of the current step was completed
	later            bool     // it is decided later than the return
	returned         bool     // a return came, so the gateway knows that the row is there
	visits           int
	done             time.Time // when it was decided
	forgotten        bool      // no longer found when asked about
	breached         bool      // reported as approved after a decline
}

type entryState string

const (
	coming   entryState = "coming" // on the way: not arrived yet
	pending  entryState = "pending"
	away     entryState = "away" // the payer has to act
	approved entryState = "approved"
	declined entryState = "declined"
)

func newAcquirer(w *World) *acquirer {
	return &acquirer{w: w, rows: map[string]*entry{}, keys: map[string]string{}, sends: map[string]int{},
		coded:  map[string]bool{},
		misled: map[string]bool{}, unseen: map[string]bool{}, told: map[string]time.Time{},
		returns: map[string]*sentReturns{}}
}

// returnsOf are the returns that a connector got with a key.
func (a *acquirer) returnsOf(key string) *sentReturns {
	if a.returns[key] == nil {
		a.returns[key] = newSentReturns()
	}
	return a.returns[key]
}

// look returns a row in its current state.
func (a *acquirer) look(key string) *entry {
	e := a.rows[key]
	if e != nil && (e.state == coming || e.state == pending || e.state == away) && !e.at.IsZero() &&
		!a.w.now().Before(e.at) {
		a.decide(e)
	}
	return e
}

// decide gives a row its final result.
func (a *acquirer) decide(e *entry) {
	e.done = a.w.now()
	if !e.at.IsZero() && e.at.Before(e.done) {
		e.done = e.at
	}
	e.at = time.Time{}
	if !e.verdict {
		e.state = declined
		return
	}
	e.state = approved
	e.effects++
	a.w.digest(uint64(e.amount), uint64(e.effects))
	if a.w.verbose {
		a.w.log("    acquirer: %s %s %d", e.operation, e.key, e.amount)
	}
	a.book(e)
}

// book is the effect of an approval, and reports what is wrong with it (M1, M2, M3, M5, M7).
func (a *acquirer) book(e *entry) {
	w := a.w
	if e.effects > 1 {
		w.fail("M7: %s took effect %d times", e.key, e.effects)
	}
	switch e.operation {
	case "SALE", "DEBIT", "CREDIT":
		e.captured = e.amount
		return
	case "AUTH":
		return
	}
	charge := a.chargeOf(e)
	if charge == nil {
		w.fail("M7: %s %s acts on nothing the acquirer knows: %q", e.operation, e.key, e.parent)
		return
	}
	if charge.closed {
		w.fail("M5: %s %s on a charge that is voided or reversed", e.operation, e.key)
	}
	switch e.operation {
	case "CAPTURE":
		if charge.captured > 0 || e.amount > charge.amount {
			w.fail("M1: %s captures %d of %d, %d captured", e.key, e.amount, charge.amount, charge.captured)
		}
		charge.captured += e.amount
	case "REFUND":
		if charge.refunded += e.amount; charge.refunded > charge.captured {
			w.fail("M2: %s refunds %d, now %d of %d", e.key, e.amount, charge.refunded, charge.captured)
		}
	case "VOID", "REVERSAL":
		if charge.refunded > 0 {
			w.fail("M5: %s %s after a refund", e.operation, e.key)
		}
		if e.operation == "REVERSAL" && e.amount != charge.amount {
			w.fail("M3: %s reverses %d of %d", e.key, e.amount, charge.amount)
		}
		charge.closed = true
	}
}

// chargeOf returns the row with the money that an operation acts on.
func (a *acquirer) chargeOf(e *entry) *entry {
	for range 4 {
		parent := a.rows[e.parent]
		if parent == nil || parent.effects == 0 {
			return nil
		}
		if parent.operation != "CAPTURE" {
			return parent
		}
		e = parent
	}
	return nil
}

// judgeOutcome compares a committed outcome with the ledger (S5, M8): a success has its effect; a failure has none
// and never will.
func (a *acquirer) judgeOutcome(t *transactionRecord) {
	e := a.look(a.keys[t.ID])
	switch {
	case t.Outcome == success && (e == nil || e.state != approved):
		a.w.fail("S5: %s %s succeeded, the acquirer did not do it", t.Operation, t.ID)
	case t.Outcome == success && (e.amount != t.Amount || e.operation != t.Operation || e.currency != t.Currency):
		a.w.fail("M8: %s %s of %d, the acquirer did %s of %d %s", t.Operation, t.ID, t.Amount, e.operation, e.amount,
			e.currency)
	case t.Outcome == failed && e != nil && e.state != declined:
		a.w.fail("S5: %s %s failed, the acquirer has it as %s", t.Operation, t.ID, e.state)
	case t.Outcome == failed && e != nil && e.op.NotificationURL != "" && a.w.chance(noteBreach):
		a.breach(e)
	}
}

// judgeRequest compares a request with the committed intent, which must exist and be equal (I3, M13).
func (a *acquirer) judgeRequest(op *methods.Operation, number int) {
	w := a.w
	t := w.auditor.transactions[op.TransactionID]
	switch known := a.keys[op.TransactionID]; {
	case t == nil:
		w.fail("D1: %s %s is sent before its intent is stored", op.Kind, op.TransactionID)
		return
	case known != "" && known != op.Key:
		w.fail("I3: transaction %s has the keys %s and %s", t.ID, known, op.Key)
	case !strings.Contains(op.Key, t.ID):
		w.fail("I3: key %s is none of transaction %s", op.Key, t.ID)
	}
	a.keys[op.TransactionID] = op.Key
	p := w.auditor.payments[t.Payment]
	if moneyOf(op.Amount.String()) != t.Amount || op.Currency != t.Currency || string(op.Kind) != t.Operation {
		w.fail("M13: %s %s of %s %s is sent, %d %s is stored", op.Kind, t.ID, op.Amount, op.Currency, t.Amount, t.Currency)
	}
	if t.Parent == "" && moneyOf(p.Order.Amount) != moneyOf(op.Amount.String()) {
		w.fail("M13: %s was signed, %s is sent", p.Order.Amount, op.Amount)
	}
	a.judgeHand(op, p)
	if charge := a.rows[a.keys[t.Parent]]; charge != nil && charge.connector != number {
		w.fail("M7: %s %s is sent to %s, its charge is at %s", op.Kind, t.ID, connectorName(number),
			connectorName(charge.connector))
	}
	if t.Connector != connectorName(number) {
		w.fail("transaction %s of %s is sent to %s", t.ID, t.Connector, connectorName(number))
	}
}

// newEntry returns the row of a request before its result. It keeps no card.
func newEntry(op *methods.Operation, number int) *entry {
	e := &entry{key: op.Key, transaction: op.TransactionID, connector: number, operation: string(op.Kind), op: *op,
		amount: moneyOf(op.Amount.String()), text: op.Amount.String(), currency: op.Currency, parent: op.ParentKey,
		verdict: true}
	e.op.Card, e.op.PayeeCard = nil, nil
	return e
}

// begin makes the row of a new request, with its result.
func (a *acquirer) begin(op *methods.Operation, number int) *entry {
	w := a.w
	e := newEntry(op, number)
	if fraction(w.rng) < w.declines(op) {
		e.verdict, e.reason, e.soft = false, "Insufficient funds", fraction(w.rng) < w.swarm.soft
	}
	if w.defect == partialApproval && e.text == "100.00" {
		e.amount = moneyOf("99.00")
	}
	if before := a.rows[op.Key]; before != nil { // not idempotent here: a second effect
		e.effects = before.effects
	}
	a.rows[op.Key] = e
	charge := op.ReturnURL != "" && op.Authentication == methods.AuthPlatform && op.Kind != store.OpCredit
	sendsAway := max(w.swarm.away, w.swarm.back.away)
	if op.MethodKind == methods.KindRedirect {
		sendsAway = 0.8
	}
	switch {
	case charge && fraction(w.rng) < sendsAway:
		e.state, e.at = away, w.now().Add(between(w.rng, time.Minute, 2*time.Hour))
		e.proof = fmt.Sprintf("proof-%d", w.rng.Uint64())
		e.step = e.proof
		confirms := e.verdict
		e.verdict = false // unless the payer comes in time
		a.sendPayer(e, confirms)
		if w.chance(noteForged) {
			a.forge(e)
		}
	case fraction(w.rng) < w.swarm.pending && (charge || w.swarm.can[number].find):
		e.state, e.at = pending, w.now().Add(between(w.rng, time.Second, 2*time.Hour))
		a.sendNote(e)
	default:
		a.decide(e)
	}
	return e
}

// declines is how often a request is declined: payments of chains more often, because they may be retried.
func (w *World) declines(op *methods.Operation) float64 {
	if op.Authentication == methods.AuthOff && w.swarm.decline > 0 {
		return w.swarm.decline + 0.2
	}
	return w.swarm.decline
}

// late is begin for a request that arrives only at a later time.
func (a *acquirer) late(op *methods.Operation, number int, until time.Time) {
	e := newEntry(op, number)
	e.state, e.at = coming, until
	a.rows[op.Key] = e
	wait := until.Sub(a.w.now())
	a.w.spawn(nil, wait, func(context.Context) { a.look(e.key) })
}

// open counts the rows without a final result.
func (a *acquirer) open() (n int) {
	for key := range a.rows {
		if e := a.rows[key]; e.state == coming || e.state == pending || e.state == away {
			n++
		}
	}
	return n
}
