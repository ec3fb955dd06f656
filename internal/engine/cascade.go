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
		return nil // the next MID is at its limit: this decline is final
	} else if err != nil {
		return err
	}
	s.Payment.Next, s.o.cascaded = then.Payment.ID, true
	return s.forgetAttempt(row)
}

// forgetAttempt deletes what a declined attempt created when another attempt follows. It stays if the
// merchant may know it, because a callback or a redirect of the attempt was sent.
func (s *Settlement) forgetAttempt(row state.Row) error {
	undo := s.o.next.Supersedes
	if undo == nil || s.Payment.Callbacks > 0 || s.notifiesMerchant(row) {
		return nil
	}
	return undo(s.Tx, s.Payment)
}
