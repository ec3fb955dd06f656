package store

import (
	"errors"
	"time"
)

// CallbackState is where the delivery of a callback stands.
type CallbackState string

// The states of a callback. A dead one stays visible and can be sent again.
const (
	CallbackDue       CallbackState = "due"
	CallbackDelivered CallbackState = "delivered"
	CallbackDead      CallbackState = "dead"
)

// Callback is one notification to a merchant, rendered in the transaction that applied the outcome it
// tells of, and sent with the same bytes however often it takes.
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
	SealedBody    *Sealed       `json:"sealed_body,omitempty"` // in place of Body where it tells a payer's link
	RequireOK     bool          `json:"require_ok,omitempty"`
	State         CallbackState `json:"state"`
	Due           time.Time     `json:"due,omitzero"`
	Tries         int           `json:"tries,omitempty"`
	GivenBack     int           `json:"given_back,omitempty"` // tries in a row of which no delivery was made
	Attempts      []Attempt     `json:"attempts,omitempty"`   // the newest MaxAttempts
	CreatedAt     time.Time     `json:"created_at"`

	// Follows is the callback of the payment that began the chain, which has to be tried before this one, and
	// Leads says of that one that others may wait for it (decision bb).
	Follows string `json:"follows,omitempty"`
	Leads   bool   `json:"leads,omitempty"`
}

// MaxAttempts bounds the attempt log of a callback.
const MaxAttempts = 20

// Attempt is one line of the attempt log.
type Attempt struct {
	At      time.Time `json:"at"`
	Verdict string    `json:"verdict"`
	Status  int       `json:"status,omitempty"`
	Detail  string    `json:"detail,omitempty"`
}

// Check guards what every stored callback must satisfy.
func (c *Callback) Check() error {
	switch {
	case c.ID == "" || c.PaymentID == "" || c.Number < 1 || c.URL == "" || len(c.Body) == 0 && c.SealedBody == nil:
		return errors.New("callback: id, payment, number, URL and body are required")
	case (c.State == CallbackDue) == c.Due.IsZero():
		return errors.New("callback: due exactly when it has a due time")
	}
	return nil
}
