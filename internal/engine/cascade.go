package engine

import (
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/store"
)

// cascade begins the next attempt, in the transaction that declines this one.
func (s *Settlement) cascade(row state.Row) error {
	then := s.o.next
	if then == nil || s.Transaction.Outcome != store.Fail || !s.Transaction.Soft || s.Payment.Status != store.Declined {
		return nil
	}
	then.Payment.SessionID = s.Payment.SessionID
	if err := insert(s.Tx, then); IsFull(err) {
		return nil // that MID has taken enough: this decline stands
	} else if err != nil {
		return err
	}
	s.Payment.Next, s.o.cascaded = then.Payment.ID, true
	return s.forgetAttempt(row)
}

// forgetAttempt undoes what an attempt made for itself that another one follows. The merchant may know of it where they
// heard of the attempt, or were told where to send the payer: then it stays.
func (s *Settlement) forgetAttempt(row state.Row) error {
	undo := s.o.next.Supersedes
	if undo == nil || s.Payment.Callbacks > 0 || s.notifiesMerchant(row) {
		return nil
	}
	return undo(s.Tx, s.Payment)
}
