package vcard

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The codes of a bank's notification (SPEC2, "Method behaviours").
const (
	BankACSC = "ACSC" // the payer has paid: approved
	BankRJCT = "RJCT" // refused: declined
)

const reasonBank = "Rejected by the bank"

// bankNote is a bank's notification.
type bankNote struct {
	Key        string          `json:"key"`
	Kind       store.Operation `json:"kind"`
	Reference  string          `json:"reference"`
	Amount     store.Amount    `json:"amount"`
	Currency   string          `json:"currency"`
	Status     string          `json:"status"` // ACSC or RJCT
	Network    string          `json:"network,omitempty"`
	Commission store.Amount    `json:"commission,omitzero"`
}

// BankNote lets the bank of a waiting payer pay (ACSC) or refuse (RJCT) the entry under key, and returns the
// bank's signed notification of it, as the bank would send it to Operation.NotificationURL. For an entry that is
// decided in the same way it returns the same notification again. Errors: ErrDecided for an entry that is decided
// otherwise, store.ErrNotFound for an unknown key.
func (c *Connector) BankNote(ctx context.Context, key, status string) (methods.Note, error) {
	decision, decided := Approve(), StateApproved
	switch status {
	case BankACSC:
	case BankRJCT:
		decision, decided = Decline(reasonBank), StateDeclined
	default:
		return methods.Note{}, errors.New("vcard: BankNote takes ACSC or RJCT")
	}
	if err := c.Resolve(ctx, key, decision); err != nil && !errors.Is(err, ErrDecided) {
		return methods.Note{}, err
	}
	e, err := c.Entry(ctx, key)
	switch {
	case err != nil:
		return methods.Note{}, err
	case e.State != decided:
		return methods.Note{}, ErrDecided
	}
	return c.note(useBankNote, bankNote{e.Key, e.Kind, e.Reference, e.Amount, e.Currency, status, e.Network, e.Commission})
}

// bankNote reads a bank's notification whose signature is right.
func (c *Connector) bankNote(op methods.Operation, body []byte) methods.Answer {
	var n bankNote
	if json.Unmarshal(body, &n) != nil || !hmac.Equal([]byte(n.Key), []byte(op.Key)) {
		return methods.Unverified(op, "the bank's notification is not about the operation")
	}
	e := Entry{Key: n.Key, Kind: n.Kind, Reference: n.Reference, Amount: n.Amount, Currency: n.Currency,
		Network: n.Network, Commission: n.Commission}
	switch n.Status {
	case BankACSC:
		e.State = StateApproved
	case BankRJCT:
		e.State, e.Reason = StateDeclined, reasonBank
	default:
		return methods.Unknown(op, "the bank's notification has another status")
	}
	return c.found(op, e)
}

// BankState is the state of a payment at a bank, for a payment that is displayed as a QR code or as details.
type BankState string

// The states of a bank (SPEC2, "Method behaviours").
const (
	BankExecuted BankState = "executed"
	BankRejected BankState = "rejected"
	BankPending  BankState = "pending"
)

// BankState returns the state of the entry as a bank names it: executed is approved, rejected is declined.
func (e Entry) BankState() BankState {
	switch e.State {
	case StateApproved:
		return BankExecuted
	case StateDeclined:
		return BankRejected
	}
	return BankPending
}
