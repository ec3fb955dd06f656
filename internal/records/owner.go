package records

import (
	"crypto/sha256"
	"errors"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Absent reports a record that is not there, or whose id no record can have.
func Absent(err error) bool { return errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrKey) }

// NoPayment is what a caller is told when reading a payment failed.
func NoPayment(err error) error {
	if Absent(err) {
		return refusal.ErrNoPayment
	}
	return err
}

// BeginsChain reports the first payment of a chain.
func BeginsChain(p *store.Payment) bool { return p.RecurringInitID == p.ID }

// ErrTaken: another request was first. Its caller looks again; it is told to no merchant.
var ErrTaken = errors.New("gateway: the attempt is taken")

// Owner says which payments a caller may see: those of a merchant, made with the same one of its keys.
// Live and test payments never meet (decision r).
type Owner struct {
	MerchantID string
	Test       bool
}

// OwnPayment is a payment of this caller. Anybody else's is as absent as one that never was.
func OwnPayment(r store.Reader, w Owner, id string) (store.Payment, error) {
	p, err := Payments.Get(r, id)
	if Absent(err) || err == nil && (p.MerchantID != w.MerchantID || p.Test != w.Test) {
		return store.Payment{}, refusal.ErrNoPayment
	}
	return p, err
}

// NewestOfOrder reads the order's own entries, which ascend in time.
func NewestOfOrder(r store.Reader, w Owner, number string, size int) (ids []string, err error) {
	prefix := KeyOfOrder(w, number)
	for entry := range r.Scan(store.Range{Prefix: prefix, Limit: size, Reverse: true}) {
		if entry.Err != nil {
			return nil, entry.Err
		}
		parts, err := store.SplitKey(entry.Key)
		if err != nil {
			return nil, err
		}
		ids = append(ids, parts[len(parts)-1])
	}
	if len(ids) == 0 {
		return nil, refusal.ErrNoOrder
	}
	return ids, nil
}

// Short is an order number as a part of keys. A long one (up to 1,020 bytes) would pass what a store
// takes for a key: its digest stands for it, marked by a byte that no text begins with.
func Short(order string) string {
	if len(order) <= 255 {
		return order
	}
	sum := sha256.Sum256([]byte(order))
	return "\xff" + string(sum[:])
}
