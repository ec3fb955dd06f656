package records

import (
	"crypto/sha256"
	"errors"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Absent reports whether an error means that a record does not exist, or has an impossible id.
func Absent(err error) bool { return errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrKey) }

// NoPayment returns the caller's error for a payment that could not be read.
func NoPayment(err error) error {
	if Absent(err) {
		return refusal.ErrNoPayment
	}
	return err
}

// BeginsChain reports whether a payment is the first of a chain.
func BeginsChain(p *Payment) bool { return p.RecurringInitID == p.ID }

// ErrTaken means that another request was first. The caller reads again; merchants never get this error.
var ErrTaken = errors.New("gateway: the attempt is taken")

// Owner identifies the payments that a caller may see: those of a merchant, made with the same one of its keys.
// Live and test payments are separate (decision r).
type Owner struct {
	MerchantID string
	Test       bool
}

// OwnPayment returns a payment of this caller. A payment of another caller gives the same error as one that does
// not exist.
func OwnPayment(r store.Reader, w Owner, id string) (Payment, error) {
	p, err := Payments.Get(r, id)
	if Absent(err) || err == nil && (p.MerchantID != w.MerchantID || p.Test != w.Test) {
		return Payment{}, refusal.ErrNoPayment
	}
	return p, err
}

// OwnerOf returns whose payment it is.
func OwnerOf(p *Payment) Owner { return Owner{p.MerchantID, p.Test} }

// Short returns an order number as a part of keys. A long one (up to 1,020 bytes) would exceed a store's key size,
// so its digest replaces it, marked by a byte that no text begins with.
func Short(order string) string {
	if len(order) <= 255 {
		return order
	}
	sum := sha256.Sum256([]byte(order))
	return "\xff" + string(sum[:])
}
