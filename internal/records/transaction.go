package records

import (
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// EntryOf returns the name of a transaction where no record of its payment is at hand: in the recovery queue, and in
// what is set aside of it.
func EntryOf(t *store.Transaction) string { return t.PaymentID + "/" + t.ID }

// OfEntry returns the transaction of an entry, with its payment.
func OfEntry(r store.Reader, entry string) (store.Payment, store.Transaction, error) {
	paymentID, id, _ := strings.Cut(entry, "/")
	return FindTransaction(r, paymentID, id)
}

// FindTransaction returns a payment and a copy of one of its transactions. Error: ErrNotFound when either is missing.
func FindTransaction(r store.Reader, paymentID, id string) (p store.Payment, t store.Transaction, err error) {
	if p, err = Payments.Get(r, paymentID); err != nil {
		return p, t, err
	}
	found := p.Transaction(id)
	if found == nil {
		return p, t, store.ErrNotFound
	}
	return p, *found, nil
}

// PutTransaction stores a payment with a changed transaction.
func PutTransaction(tx store.Tx, p *store.Payment, t *store.Transaction) error {
	t.Version++
	p.Version++
	p.SetTransaction(*t)
	return Payments.Put(tx, *p, p.ID)
}
