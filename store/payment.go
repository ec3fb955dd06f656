package store

import (
	"encoding/json"
	"errors"
	"time"
)

// Kind is what a payment is for; the operation of SPEC1's session request.
type Kind string

// The kinds of payment.
const (
	Purchase Kind = "purchase"
	Debit    Kind = "debit"
	Transfer Kind = "transfer"
	Credit   Kind = "credit" // payout
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Purchase, Debit, Transfer, Credit} }

// Order is the merchant's order. Amount is the text as it was sent, because that is what was signed.
type Order struct {
	Number      string `json:"number"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
}

// Payment is one attempt of a payer to pay an order, with everything that came of it. Amounts stand
// here and are changed by one guarded write, never summed over other records.
type Payment struct {
	ID         string   `json:"id"`
	MerchantID string   `json:"merchant"`
	SessionID  string   `json:"session,omitempty"`
	Protocol   Protocol `json:"protocol"`
	Kind       Kind     `json:"kind"`
	Hold       bool     `json:"hold,omitempty"` // authorize only
	Test       bool     `json:"test,omitempty"`
	Order      Order    `json:"order"`
	Status     Status   `json:"status"`
	Version    int      `json:"version"` // grows by one with every write
	Reason     string   `json:"reason,omitempty"`

	Amount     Amount `json:"amount"`     // what was asked for
	Authorized Amount `json:"authorized"` // held or taken
	Captured   Amount `json:"captured"`
	Refunded   Amount `json:"refunded"`
	Reserved   Amount `json:"reserved"` // refunds that run or are in doubt

	// Running is the transaction that has the payment to itself: the charge, a capture, a void or a
	// reversal. Refunds share it and only reserve.
	Running      string   `json:"running,omitempty"`
	Transactions []string `json:"transactions"`
	Callbacks    int      `json:"callbacks,omitempty"` // how many were queued

	Method          string          `json:"method"`
	MIDID           string          `json:"mid"`
	Card            *CardFacts      `json:"card,omitempty"`
	Payer           Payer           `json:"payer,omitzero"`
	CustomData      json.RawMessage `json:"custom_data,omitempty"`
	NotificationURL string          `json:"notification_url,omitempty"`
	Descriptor      string          `json:"descriptor,omitempty"`

	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	CapturedAt time.Time `json:"captured_at,omitzero"` // when money was taken; a void counts from here
}

// MaxTransactions bounds the transactions of one payment, our own limit.
const MaxTransactions = 500

// Refundable is what is captured and neither refunded nor reserved.
func (p *Payment) Refundable() Amount {
	left, _ := p.Captured.Sub(p.Refunded.Add(p.Reserved))
	return left
}

// Check guards the invariants of money before every write: captured is at most authorized, and
// refunded with reserved at most captured.
func (p *Payment) Check() error {
	switch {
	case p.ID == "" || p.MerchantID == "" || p.Order.Number == "":
		return errors.New("payment: id, merchant and order number are required")
	case p.Captured.Cmp(p.Authorized) > 0:
		return errors.New("payment: captured more than authorized")
	case p.Refunded.Add(p.Reserved).Cmp(p.Captured) > 0:
		return errors.New("payment: refunded more than captured")
	case len(p.Transactions) > MaxTransactions:
		return errors.New("payment: too many transactions")
	}
	return nil
}
