package records

import (
	"bytes"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// Exists turns the error of reading a record into whether it exists.
func Exists(err error) (bool, error) {
	if Absent(err) {
		return false, nil
	}
	return err == nil, err
}

// IsClosed reports whether no transaction of a payment is under way, in doubt or to be reviewed.
func IsClosed(p *Payment) bool {
	open := func(t *Transaction) bool { return !t.Outcome.Final() || t.Review != "" && t.ReviewedBy == nil }
	return p.Running == "" && p.Reserved.IsZero() && !slices.ContainsFunc(p.Transactions, open)
}

// MayBeOf reports whether the entry of a payment may be one of a merchant. It does not read the payment, of which the
// merchant is the first field: false is certain, true is not.
func MayBeOf(entry store.Entry, merchantID string) bool {
	version := bytes.IndexByte(entry.Value, ',')
	text, found := bytes.CutPrefix(entry.Value[max(version, 0):], []byte(`,"m":"`))
	if !found {
		return true
	}
	id, _, closed := bytes.Cut(text, []byte{'"'})
	return !closed || bytes.IndexByte(id, '\\') >= 0 || string(id) == merchantID
}

// MaxCascade bounds the attempts of a cascade.
const MaxCascade = 10

// NewestOfCascade follows the attempts of a cascade to its last.
func NewestOfCascade(r store.Reader, p Payment) (Payment, error) {
	for range MaxCascade {
		if p.Next == "" {
			break
		}
		next, err := Payments.Get(r, p.Next)
		if err != nil {
			return p, err
		}
		p = next
	}
	return p, nil
}
