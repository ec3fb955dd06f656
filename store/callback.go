package store

import (
	"errors"
	"time"
)

// CallbackState is the state of a callback's delivery.
type CallbackState string

// The states of a callback. A dead one stays visible and can be sent again.
const (
	CallbackDue       CallbackState = "due"
	CallbackDelivered CallbackState = "delivered"
	CallbackDead      CallbackState = "dead"
)

// Callback is one notification to a merchant. It is rendered in the transaction that applies the outcome it
// reports, and every attempt sends the same bytes.
type Callback struct {
	ID            string        `json:"id"` // payment id and number within the payment
	PaymentID     string        `json:"payment"`
	TransactionID string        `json:"transaction"`
	MerchantID    string        `json:"merchant"`
	Number        int           `json:"number"` // 1, 2, ... within the payment
	Type          string        `json:"type"`   // sale, 3ds, refund, ...
	Outcome       string        `json:"outcome"`
	URL           string        `json:"url"`
	Body          []byte        `json:"body,omitempty"`
	SealedBody    *Sealed       `json:"sealed_body,omitempty"` // replaces Body when the body has the payer's link
	RequireOK     bool          `json:"require_ok,omitempty"`
	State         CallbackState `json:"state"`
	Due           time.Time     `json:"due,omitzero"`
	Tries         int           `json:"tries,omitempty"`
	GivenBack     int           `json:"given_back,omitempty"` // tries in a row that could not deliver
	Attempts      []Attempt     `json:"attempts,omitempty"`   // the newest, at most MaxAttempts
	CreatedAt     time.Time     `json:"created_at"`

	// Follows is the callback that has to be tried before this one: that of the payment that began the chain. Leads
	// says that others may wait for this callback (decision bb).
	Follows string `json:"follows,omitempty"`
	Leads   bool   `json:"leads,omitempty"`
}

// MaxAttempts bounds the attempt log of a callback.
const MaxAttempts = 20

// Attempt is one entry of the attempt log.
type Attempt struct {
	At      time.Time `json:"at"`
	Verdict string    `json:"verdict"`
	Status  int       `json:"status,omitempty"`
	Detail  string    `json:"detail,omitempty"`
}

// Check guards the rules that every stored callback must satisfy.
func (c *Callback) Check() error {
	switch {
	case c.ID == "" || c.PaymentID == "" || c.Number < 1 || c.URL == "" || len(c.Body) == 0 && c.SealedBody == nil:
		return errors.New("callback: id, payment, number, URL and body are required")
	case (c.State == CallbackDue) == c.Due.IsZero():
		return errors.New("callback: the state is due if and only if a due time is set")
	}
	return nil
}
