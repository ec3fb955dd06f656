package records

import "time"

// Made is what a request with an idempotency key has made: a payment with a transaction, a session or a schedule.
type Made struct {
	ID            string    `json:"id"`
	TransactionID string    `json:"transaction,omitempty"`
	Print         []byte    `json:"print"` // of the request
	Until         time.Time `json:"until"` // when the key is free again
}
