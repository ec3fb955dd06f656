package vcard

import (
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// State is the state of an entry of the ledger.
type State string

// The states of an entry.
const (
	StateApproved State = "approved"
	StateDeclined State = "declined"
	StateAway     State = "away"    // the payer is on a simulated page
	StatePending  State = "pending" // accepted, decided later
	StateUnseen   State = "unseen"  // Find does not find it yet
	StateShown    State = "shown"   // the payer sees how to pay, or was told to confirm
	StateAsked    State = "asked"   // the payer was asked for more
)

// What the payer did on a simulated page.
const (
	payerConfirmed = "confirmed"
	payerFailed    = "failed"
)

// Entry is one row of the acquirer's ledger, for tests to read: what was asked under a key, and the outcome. It
// holds no card data and no return URL.
type Entry struct {
	Key       string          `json:"key"`
	Kind      store.Operation `json:"kind"`
	Order     string          `json:"order,omitempty"` // the merchant's order number
	Amount    store.Amount    `json:"amount"`
	Currency  string          `json:"currency"`
	Parent    string          `json:"parent,omitempty"` // key of the charge that it follows up
	Reference string          `json:"reference"`
	State     State           `json:"state"`
	Reason    string          `json:"reason,omitempty"`
	Soft      bool            `json:"soft,omitempty"` // of the decline, or of the decline that it will become
	// Effects is how often money was moved or authorized under the key. More than one is a double charge.
	Effects int `json:"effects"`

	// Of a charge: the amounts captured and refunded, and whether it was voided or reversed.
	Captured   store.Amount `json:"captured,omitzero"`
	Refunded   store.Amount `json:"refunded,omitzero"`
	Closed     bool         `json:"closed,omitempty"`
	CapturedAt time.Time    `json:"captured_at,omitzero"`

	At  time.Time `json:"at"`           // when the first call came
	Due time.Time `json:"due,omitzero"` // when it changes by itself

	ThreeDS       bool   `json:"three_ds,omitempty"` // of StateAway: which page
	Payer         string `json:"payer,omitempty"`    // what the payer did there
	Refused       bool   `json:"refused,omitempty"`  // when it changes, it becomes a decline
	RefuseCapture bool   `json:"refuse_capture,omitempty"`
	ReturnHash    string `json:"return_hash,omitempty"` // SHA-256 of the return URL, which is a secret
	Later         string `json:"later,omitempty"`       // reason of that decline

	Merchant   string             `json:"merchant,omitempty"` // the merchant's name, for the payer
	Card       string             `json:"card,omitempty"`     // the last four digits of the card number, for the payer
	Method     string             `json:"method,omitempty"`
	MethodKind methods.MethodKind `json:"method_kind,omitempty"`
	Asking     []string           `json:"asking,omitempty"`   // what the payer still has to fill in, in order
	Answers    int                `json:"answers,omitempty"`  // how often the payer answered
	Wrong      int                `json:"wrong,omitempty"`    // how many of the one-time codes were wrong
	PayerID    string             `json:"payer_id,omitempty"` // national id of a bank transfer

	Open    bool        `json:"open,omitempty"`    // the payer chooses the amount, which is zero until then
	Brand   store.Brand `json:"brand,omitempty"`   // of the card
	Flow    string      `json:"flow,omitempty"`    // how 3-D Secure went; empty without it
	Network string      `json:"network,omitempty"` // of a method of crypto

	MID        string    `json:"mid,omitempty"`
	COF        store.COF `json:"cof,omitzero"`         // how a stored card was used
	Registers  bool      `json:"registers,omitempty"`  // once approved, the card is registered as stored
	Credential string    `json:"credential,omitempty"` // the reference under which a registered card was used

	Schedule string `json:"schedule,omitempty"` // of a charge: ScheduleRunning or ScheduleStopped

	Commission store.Amount `json:"commission,omitzero"` // of a debit, or of the calculation before it
	Calc       string       `json:"calc,omitempty"`      // of a debit: key of the calculation it completes
	Completed  string       `json:"completed,omitempty"` // of a calculation: key of the debit that completed it last
}

// same reports whether op is the operation that came first under the key. An open amount may have been chosen
// meanwhile.
func (e Entry) same(op methods.Operation) bool {
	amount := e.Amount.Cmp(op.Amount) == 0 || e.Open && op.AmountOpen
	return e.Kind == op.Kind && e.Currency == op.Currency && amount
}

// at returns the entry in its state at now: what is due has happened. A parent is never due: an unseen entry has
// changed it from the start, so one entry is enough.
func (e Entry) at(now time.Time) Entry {
	if e.Due.IsZero() || now.Before(e.Due) {
		return e
	}
	due := e.Due
	e.Due = time.Time{}
	switch {
	case e.State == StateAway:
		e.decline(reasonNoPayer, false)
	case e.State == StateShown || e.State == StateAsked:
		e.decline(reasonUnpaid, false)
	case e.State == StatePending && e.Refused:
		e.decline(e.Later, e.Soft)
	default: // pending, unseen, or approved meanwhile where keys are not idempotent
		e.book(due)
	}
	return e
}

// book counts the effect of an entry; a calculation has none. An open amount that was not chosen is one unit.
func (e *Entry) book(now time.Time) {
	e.State = StateApproved
	if e.Kind == store.OpCalc {
		return
	}
	if e.Open && e.Amount.IsZero() {
		e.Amount = unit(e.Currency)
	}
	e.Effects++
	if charges(e.Kind) && e.Kind != store.OpAuth {
		e.Captured, e.CapturedAt = e.Amount, now
	}
}

func (e *Entry) decline(reason string, soft bool) {
	e.State, e.Reason, e.Soft = StateDeclined, reason, soft
}

func charges(kind store.Operation) bool {
	switch kind {
	case store.OpSale, store.OpAuth, store.OpDebit, store.OpTransfer, store.OpCredit:
		return true
	default:
		return false
	}
}
