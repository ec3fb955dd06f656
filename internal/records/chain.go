package records

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Chain is a chain of recurring payments. It is stored with its first payment, and is usable once that payment is
// taken.
type Chain struct {
	Token      string        `json:"token"`
	PaymentID  string        `json:"payment"`
	MerchantID string        `json:"merchant"`
	Test       bool          `json:"test,omitempty"`
	ScheduleID string        `json:"schedule,omitempty"`   // empty if it is on none
	StartDate  string        `json:"start_date,omitempty"` // of the first scheduled payment, YYYY-MM-DD
	Amount     string        `json:"amount,omitempty"`     // of scheduled payments, if it differs from the first payment's
	Plan       *Plan         `json:"plan,omitempty"`       // of the scheduled payments, once the first one is taken
	Joining    *Joining      `json:"joining,omitempty"`    // the schedule it moves to once a later payment is taken
	SealedCard *store.Sealed `json:"sealed_card,omitempty"`
	// Credentials are the references of the card, if its MID registers stored cards.
	Credentials Credentials `json:"credentials,omitempty"`
	CreatedAt   time.Time   `json:"created_at"`
}

// Owner returns whose chain it is.
func (r *Chain) Owner() Owner { return Owner{r.MerchantID, r.Test} }

// Joining is a schedule that a chain moves to once a later payment of it is taken. The chain already counts as a
// member of that schedule, except after a soft decline: such a payment uses no schedule, which may be deleted
// meanwhile (D67, DELETE_SCHEDULE). The chain counts again while the payment is retried.
type Joining struct {
	PaymentID  string `json:"payment"`
	ScheduleID string `json:"schedule"`
}

// IsOn reports whether a chain is on a schedule, or about to move to it.
func (r *Chain) IsOn(id string) bool {
	return id != "" && (r.ScheduleID == id || r.Joining != nil && r.Joining.ScheduleID == id)
}

// Counts reports whether a chain is on any schedule, or about to move to one.
func (r *Chain) Counts(reader store.Reader) (bool, error) {
	if r.ScheduleID != "" || r.Joining == nil {
		return r.ScheduleID != "", nil
	}
	_, err := reader.Get(KeyOfMember(r.MerchantID, r.Joining.ScheduleID, r.Token))
	return Exists(err)
}
