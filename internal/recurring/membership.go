package recurring

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// inUse reports whether any chain is on a schedule.
func inUse(r store.Reader, s *records.Schedule) (some bool, err error) {
	for entry := range r.Scan(store.Range{Prefix: records.KeyOfMember(s.MerchantID, s.ID), Limit: 1}) {
		return true, entry.Err
	}
	return false, nil
}

// joinSchedule puts a chain on a schedule, if any.
func joinSchedule(r *records.Chain, tx store.Tx, id string) error {
	if id == "" {
		return nil
	}
	r.ScheduleID = id
	return enterSchedule(r, tx, id)
}

// enterSchedule makes a chain a member of a schedule. A paused schedule accepts none.
func enterSchedule(r *records.Chain, tx store.Tx, id string) error {
	s, err := OwnSchedule(tx, r.Owner(), id)
	switch {
	case err != nil:
		return err
	case s.Paused:
		return refusal.ErrSchedule
	}
	return tx.Put(records.KeyOfMember(r.MerchantID, id, r.Token), []byte{})
}

// leaveSchedule takes a chain off its schedule, if it is on one. The caller stores the record.
func leaveSchedule(r *records.Chain, tx store.Tx) error {
	if r.ScheduleID == "" {
		return nil
	}
	if r.Plan != nil {
		if err := requeueChain(r, tx, time.Time{}); err != nil {
			return err
		}
	}
	left := r.ScheduleID
	r.ScheduleID, r.Plan = "", nil
	return exitSchedule(r, tx, left)
}

// unjoinSchedule cancels the move of a chain to another schedule. The caller stores the record.
func unjoinSchedule(r *records.Chain, tx store.Tx) error {
	if r.Joining == nil {
		return nil
	}
	left := r.Joining.ScheduleID
	r.Joining = nil
	return exitSchedule(r, tx, left)
}

// exitSchedule removes a chain from the members of a schedule, unless it is a member for another reason.
func exitSchedule(r *records.Chain, tx store.Tx, id string) error {
	if r.ScheduleID == id || r.Joining != nil && r.Joining.ScheduleID == id {
		return nil
	}
	return tx.Delete(records.KeyOfMember(r.MerchantID, id, r.Token))
}

// JoinLater records, in step one of a later payment that names a schedule, where its chain moves once it is taken.
func JoinLater(tx store.Tx, p *records.Payment) error {
	chain, err := records.Chains.Get(tx, p.MerchantID, p.RecurringToken)
	switch {
	case records.Absent(err):
		return refusal.ErrNoChain
	case err != nil, chain.ScheduleID == p.ScheduleID:
		return err
	}
	if err := errors.Join(unjoinSchedule(&chain, tx), enterSchedule(&chain, tx, p.ScheduleID)); err != nil {
		return err
	}
	chain.Joining = &records.Joining{PaymentID: p.ID, ScheduleID: p.ScheduleID}
	return records.Chains.Put(tx, chain, chain.MerchantID, chain.Token)
}

// yieldSchedule removes a chain from the schedule it was about to join, because the payment was declined softly.
func yieldSchedule(r *records.Chain, tx store.Tx) error {
	if r.ScheduleID == r.Joining.ScheduleID {
		return nil
	}
	return tx.Delete(records.KeyOfMember(r.MerchantID, r.Joining.ScheduleID, r.Token))
}

// TryAgain makes a chain a member again, in step one of a retry of the payment that moves it. If the schedule is
// deleted the chain stays where it is.
func TryAgain(tx store.Tx, p *records.Payment) error {
	chain, err := records.Chains.Get(tx, p.MerchantID, p.RecurringToken)
	if err != nil || chain.Joining == nil || chain.Joining.PaymentID != p.ID {
		return err
	}
	switch _, err := OwnSchedule(tx, chain.Owner(), chain.Joining.ScheduleID); {
	case err == refusal.ErrNoSchedule:
		chain.Joining = nil
		return records.Chains.Put(tx, chain, chain.MerchantID, chain.Token)
	case err != nil:
		return err
	}
	return tx.Put(records.KeyOfMember(chain.MerchantID, chain.Joining.ScheduleID, chain.Token), []byte{})
}
