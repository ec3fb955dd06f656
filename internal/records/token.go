package records

import (
	"maps"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Credentials are the references of one stored card, by the MID it is registered at.
type Credentials map[string]string

// At is the reference at a MID: nothing where it is not registered yet, or where that MID registers none.
func (c Credentials) At(mid *store.MID) string {
	if !mid.COF {
		return ""
	}
	return c[mid.ID]
}

// With is a copy with one more: a record that was read may be read by others.
func (c Credentials) With(mid, credential string) Credentials {
	more := maps.Clone(c)
	if more == nil {
		more = Credentials{}
	}
	more[mid] = credential
	return more
}

// CardToken is a saved card.
type CardToken struct {
	ID         string          `json:"id"` // keyed hash of the token
	MerchantID string          `json:"merchant"`
	Test       bool            `json:"test,omitempty"`
	SealedCard *store.Sealed   `json:"sealed_card"`
	Card       store.CardFacts `json:"card"`
	Name       string          `json:"name,omitempty"`
	// Credentials are the references of the card, at the MIDs that register stored cards.
	Credentials Credentials `json:"credentials,omitempty"`
	CreatedAt   time.Time   `json:"created_at"`
}
