package records

import (
	"maps"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Credentials are the references of one stored card, by the MID where it is registered.
type Credentials map[string]string

// At returns the reference at a MID; empty if it is not registered there yet, or if the MID registers none.
func (c Credentials) At(mid *store.MID) string {
	if !mid.COF {
		return ""
	}
	return c[mid.ID]
}

// With returns a copy with one more reference, because others may read the original.
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
