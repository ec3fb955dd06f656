package store

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Status is the status of a payment, in the spelling of S2S (lifecycle.md, "Payment statuses").
type Status string

// Every status. New is the empty status before the first row of the state table.
const (
	New        Status = ""
	Prepare    Status = "PREPARE"  // undetermined, the final status follows
	ThreeDS    Status = "3DS"      // awaits 3-D Secure
	Redirected Status = "REDIRECT" // the payer is on a third-party page
	Pending    Status = "PENDING"  // authorized, awaits capture; or awaits the payer (APM)
	Settled    Status = "SETTLED"
	Declined   Status = "DECLINED"
	Reversed   Status = "REVERSAL" // hold released, or debit reversed
	Refunded   Status = "REFUND"   // refunded in full or in part
	Voided     Status = "VOID"
	Disputed   Status = "CHARGEBACK"
)

// Statuses lists every status a stored payment may have.
func Statuses() []Status {
	return []Status{Prepare, ThreeDS, Redirected, Pending, Settled, Declined, Reversed, Refunded, Voided, Disputed}
}

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

// Payer is who pays, as far as the request or the page told.
type Payer struct {
	Name      string  `json:"name,omitempty"`
	Email     string  `json:"email,omitempty"`
	BirthDate string  `json:"birth_date,omitempty"` // yyyy-mm-dd
	IP        string  `json:"ip,omitempty"`
	Address   Address `json:"address,omitzero"`
}

// Address is a billing address (SPEC1, billing_address).
type Address struct {
	Country          string `json:"country,omitempty"` // ISO 3166-1 alpha-2
	State            string `json:"state,omitempty"`
	City             string `json:"city,omitempty"`
	Address          string `json:"address,omitempty"`
	HouseNumber      string `json:"house_number,omitempty"`
	Zip              string `json:"zip,omitempty"`
	Phone            string `json:"phone,omitempty"`
	PhoneCountryCode string `json:"phone_country_code,omitempty"`
	District         string `json:"district,omitempty"`
}

// CardFacts is what may be shown of a card.
type CardFacts struct {
	Mask   string `json:"mask"`   // 411111******1111
	Expiry Expiry `json:"expiry"` // MM/YYYY
	Brand  string `json:"brand,omitempty"`
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

// Checkout is the status in the spelling of Checkout (lifecycle.md): lower case, and decline for DECLINED.
func (s Status) Checkout() string {
	if s == Declined {
		return "decline"
	}
	return strings.ToLower(string(s))
}
