package retention

import (
	"errors"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// ageOfPayment judges a payment: it may be deleted if no other record needs it and the host has set an age.
func ageOfPayment(j *judging, p *records.Payment) (verdict, error) {
	keep := j.Keep.Payments
	switch {
	case keep == 0, j.by(p.CreatedAt, keep) == stays:
		return restStays, nil
	case j.by(p.UpdatedAt, keep) == stays, !isEnd[p.Status]:
		return stays, nil
	}
	if !records.IsClosed(p) {
		return stays, nil
	}
	for _, needed := range []func(store.Reader, *records.Payment) (bool,
		error){passwordsUnknown, beginsChain, hasSession, followsAnother, reportsLater} {
		if yes, err := needed(j.r, p); err != nil || yes {
			return stays, err
		}
	}
	return goes, nil
}

// isEnd are the statuses in which a payment may stay. A held one waits for its capture.
var isEnd = map[store.Status]bool{
	store.Settled: true, store.Declined: true, store.Reversed: true, store.Refunded: true, store.Voided: true,
	store.Disputed: true,
}

// passwordsUnknown reports whether it cannot be told which passwords the merchant has, and so where to leave what has
// to outlive the payment: the merchant's record is damaged until it is saved again.
func passwordsUnknown(r store.Reader, p *records.Payment) (bool, error) {
	m, err := records.Merchants.Get(r, p.MerchantID)
	if due.IsLost(err) {
		return true, nil
	}
	return m.HashMarks == "", err
}

// beginsChain reports whether a payment is the first of a chain, which its later payments name.
func beginsChain(r store.Reader, p *records.Payment) (bool, error) {
	if !records.BeginsChain(p) {
		return false, nil
	}
	_, err := records.Chains.Get(r, p.MerchantID, p.RecurringToken)
	return records.Exists(err)
}

// hasSession reports whether a payment has a session, whose page shows it.
func hasSession(r store.Reader, p *records.Payment) (bool, error) {
	if p.SessionID == "" {
		return false, nil
	}
	_, err := records.Sessions.Get(r, p.SessionID)
	return records.Exists(err)
}

// followsAnother reports whether an earlier attempt of the cascade is still there. Looking that up may lead to the
// next attempt, so they are deleted in order. The earlier attempt comes just before this payment in the order.
func followsAnother(r store.Reader, p *records.Payment) (bool, error) {
	if p.Cascade == "" {
		return false, nil
	}
	before, err := records.PaymentsOfOrder(r, records.OwnerOf(p), p.Order.Number, p.ID, records.MaxCascade)
	if err != nil {
		return false, err
	}
	for _, id := range before {
		one, err := records.Payments.Get(r, id)
		if err != nil || one.Next == p.ID {
			return err == nil, err
		}
	}
	return false, nil
}

// reportsLater reports whether a callback is still to be delivered.
func reportsLater(r store.Reader, p *records.Payment) (bool, error) {
	for number := 1; number <= p.Callbacks; number++ {
		c, err := records.Callbacks.Get(r, store.CallbackID(p.ID, number))
		if there, err := records.Exists(err); err != nil || there && c.State == store.CallbackDue {
			return there, err
		}
	}
	return false, nil
}

// alongCallback deletes the mark of a dead callback.
func alongCallback(_ *judging, tx store.Tx, entry store.Entry) error {
	parts, err := store.SplitKey(entry.Key)
	if err != nil {
		return err
	}
	return callback.Unlist(tx, parts[len(parts)-1])
}

// alongPayment deletes the records that a payment has made, and leaves what has to outlive it.
func alongPayment(j *judging, tx store.Tx, entry store.Entry) error {
	p, err := records.Payments.Decode(entry)
	if err != nil {
		return err
	}
	for number := 1; number <= p.Callbacks; number++ {
		id := store.CallbackID(p.ID, number)
		if err := errors.Join(records.Callbacks.Delete(tx, id), callback.Unlist(tx, id)); err != nil {
			return err
		}
	}
	m, err := records.Merchants.Get(tx, p.MerchantID)
	if err != nil {
		return err
	}
	passwords, _ := m.Marks(j.now)
	return errors.Join(j.Purged(tx, &p, passwords, j.now), records.DeleteFromOrder(tx, &p))
}
