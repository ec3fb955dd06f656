package gateway

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A chain is on one schedule at most: from its first payment on, or from a later one that names a schedule.

// keyOfMember names a chain among those on a schedule; without a token it is the prefix of them all.
func keyOfMember(merchantID, scheduleID string, token ...string) []byte {
	return store.Key(append([]string{"sk", merchantID, scheduleID}, token...)...)
}

// inUse reports a schedule that chains are on.
func inUse(r store.Reader, s *store.Schedule) (some bool, err error) {
	for entry := range r.Scan(store.Range{Prefix: keyOfMember(s.MerchantID, s.ID), Limit: 1}) {
		return true, entry.Err
	}
	return false, nil
}

// joining is a schedule that a chain moves to once a later payment of it is taken. The chain counts as one of
// that schedule's already, unless the payment was declined softly: such a payment uses no schedule, which may be
// deleted meanwhile (D67, DELETE_SCHEDULE), and the chain counts again while the payment is tried again.
type joining struct {
	PaymentID  string `json:"payment"`
	ScheduleID string `json:"schedule"`
}

// join puts a chain on a schedule, if any.
func (r *chainRecord) join(tx store.Tx, id string) error {
	if id == "" {
		return nil
	}
	r.ScheduleID = id
	return r.enter(tx, id)
}

// enter makes a chain one of a schedule's. A paused schedule begins nothing.
func (r *chainRecord) enter(tx store.Tx, id string) error {
	s, err := ownSchedule(tx, r.whose(), id)
	switch {
	case err != nil:
		return err
	case s.Paused:
		return refusal.ErrSchedule
	}
	return tx.Put(keyOfMember(r.MerchantID, id, r.Token), []byte{})
}

// leave takes a chain off its schedule, if it is on one. The caller stores the record.
func (r *chainRecord) leave(tx store.Tx) error {
	if r.ScheduleID == "" {
		return nil
	}
	if r.Plan != nil {
		if err := r.requeue(tx, time.Time{}); err != nil {
			return err
		}
	}
	left := r.ScheduleID
	r.ScheduleID, r.Plan = "", nil
	return r.exit(tx, left)
}

// unjoin gives up the schedule that a chain was about to move to. The caller stores the record.
func (r *chainRecord) unjoin(tx store.Tx) error {
	if r.Joining == nil {
		return nil
	}
	left := r.Joining.ScheduleID
	r.Joining = nil
	return r.exit(tx, left)
}

// exit ends what enter began, unless the chain is there in another way.
func (r *chainRecord) exit(tx store.Tx, id string) error {
	if r.ScheduleID == id || r.Joining != nil && r.Joining.ScheduleID == id {
		return nil
	}
	return tx.Delete(keyOfMember(r.MerchantID, id, r.Token))
}

// isOn reports the schedule a chain is on, or about to move to.
func (r *chainRecord) isOn(id string) bool {
	return id != "" && (r.ScheduleID == id || r.Joining != nil && r.Joining.ScheduleID == id)
}

// joinLater notes, in step one of a later payment that names a schedule, where its chain moves once it is taken.
func joinLater(tx store.Tx, c *charge) error {
	p := &c.payment
	if !c.recurring || c.due != nil || p.ScheduleID == "" {
		return nil
	}
	chain, err := chains.Get(tx, p.MerchantID, p.RecurringToken)
	switch {
	case absent(err):
		return refusal.ErrNoChain
	case err != nil, chain.ScheduleID == p.ScheduleID:
		return err
	}
	if err := errors.Join(chain.unjoin(tx), chain.enter(tx, p.ScheduleID)); err != nil {
		return err
	}
	chain.Joining = &joining{PaymentID: p.ID, ScheduleID: p.ScheduleID}
	return chains.Put(tx, chain, chain.MerchantID, chain.Token)
}

// yields takes a chain off the schedule it was to move to, as the payment that was to move it was declined softly.
func (r *chainRecord) yields(tx store.Tx) error {
	if r.ScheduleID == r.Joining.ScheduleID {
		return nil
	}
	return tx.Delete(keyOfMember(r.MerchantID, r.Joining.ScheduleID, r.Token))
}

// tryAgain counts a chain again, in step one of another try of the payment that is to move it. Where the schedule is
// gone the chain stays where it is.
func tryAgain(tx store.Tx, p *store.Payment) error {
	chain, err := chains.Get(tx, p.MerchantID, p.RecurringToken)
	if err != nil || chain.Joining == nil || chain.Joining.PaymentID != p.ID {
		return err
	}
	switch _, err := ownSchedule(tx, chain.whose(), chain.Joining.ScheduleID); {
	case err == refusal.ErrNoSchedule:
		chain.Joining = nil
		return chains.Put(tx, chain, chain.MerchantID, chain.Token)
	case err != nil:
		return err
	}
	return tx.Put(keyOfMember(chain.MerchantID, chain.Joining.ScheduleID, chain.Token), []byte{})
}

// counts reports a chain that is on a schedule, or about to move to one.
func (r *chainRecord) counts(reader store.Reader) (bool, error) {
	if r.ScheduleID != "" || r.Joining == nil {
		return r.ScheduleID != "", nil
	}
	_, err := reader.Get(keyOfMember(r.MerchantID, r.Joining.ScheduleID, r.Token))
	return exists(err)
}
