package gateway

import (
	"cmp"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Subscription is what a payer agrees to beside the payment: later payments, without the payer. Count is 0
// where no schedule says when they come: the merchant then charges as it was agreed with the payer elsewhere.
type Subscription struct {
	Amount string // of each later payment, in the order's currency
	Every  int    // units between two payments
	Unit   store.IntervalUnit
	Count  int // how many later payments there are
	// First and Last are the dates of the first and the last later payment if the payer pays now, at midnight
	// UTC. Both are zero with Held.
	First, Last time.Time
	// DayOfMonth is the day that months wish for, where First does not show it: the 31st after the 28th of
	// February, or the first of a month after a first payment in its midst. 0 for none.
	DayOfMonth int
	// Held says that the payment is held only, so that the dates count from its capture (decision ar).
	Held bool
}

// scheduleOf is the schedule that a session begins a chain on; nil where there is none, or none any more.
func scheduleOf(r store.Reader, s *store.Session) (*store.Schedule, error) {
	if !s.Extra.RecurringInit || s.Extra.ScheduleID == "" {
		return nil, nil
	}
	set, err := recurring.OwnSchedule(r, records.Owner{MerchantID: s.MerchantID, Test: s.Test}, s.Extra.ScheduleID)
	switch {
	case err == refusal.ErrNoSchedule:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &set, nil
}

// date counts the dates as the chain will, from today on.
func (sub *Subscription) date(set *store.Schedule, zone, start string, now time.Time) {
	begins, _ := schedule.ParseDate(start) // checked when the session was created
	p := records.Plan{Zone: zone}
	p.Begun = schedule.DateOf(now, p.Location())
	p.Renew(set, begins, now)
	first := p.Next(set)
	sub.First = first.Start(time.UTC)
	sub.Last = p.Anchor.At(set, p.Slot+set.PaymentsCount-1).Start(time.UTC)
	if wished := cmp.Or(set.DayOfMonth, p.Anchor.Day); set.IntervalUnit == store.Month && set.PaymentsCount > 1 && wished != first.Day {
		sub.DayOfMonth = wished
	}
}
