package records

import (
	"strconv"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// EntryOf returns the name of a transaction in the recovery queue and in what is set aside of it: its payment's id and
// its number.
func EntryOf(t *Transaction) string { return t.PaymentID + "/" + strconv.Itoa(t.Number) }

// OfEntry returns the transaction of an entry, with its payment. Error: ErrNotFound when either is missing.
func OfEntry(r store.Reader, entry string) (p Payment, t Transaction, err error) {
	paymentID, number, _ := strings.Cut(entry, "/")
	if p, err = Payments.Get(r, paymentID); err != nil {
		return p, t, err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(p.Transactions) {
		return p, t, store.ErrNotFound
	}
	return p, *p.Transactions[n-1], nil
}

// FindTransaction returns a payment and a copy of one of its transactions. Error: ErrNotFound when either is missing.
func FindTransaction(r store.Reader, paymentID, id string) (p Payment, t Transaction, err error) {
	if p, err = Payments.Get(r, paymentID); err != nil {
		return p, t, err
	}
	found := p.Transaction(id)
	if found == nil {
		return p, t, store.ErrNotFound
	}
	return p, *found, nil
}

// PutTransaction stores a payment with a changed transaction, which is part of the payment from then on.
func PutTransaction(tx store.Tx, p *Payment, t *Transaction) error {
	t.Version++
	p.Version++
	p.Place(t)
	return Payments.Put(tx, *p, p.ID)
}
