package records

import (
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
func IsClosed(r store.Reader, p *store.Payment) (bool, error) {
	if p.Running != "" || !p.Reserved.IsZero() {
		return false, nil
	}
	for _, id := range p.Transactions {
		t, err := Transactions.Get(r, id)
		if err != nil || !t.Outcome.Final() || t.Review != "" && t.ReviewedBy == nil {
			return false, err
		}
	}
	return true, nil
}

// MaxCascade bounds the attempts of a cascade.
const MaxCascade = 10
