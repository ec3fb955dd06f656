package shop

import (
	"cmp"
	"slices"
)

// maxPayments bounds what is kept of a subscription: its payments, and first ones that were declined.
const maxPayments = 100

// subscription is the part of an order of a product with a plan. Every subscriber has their own schedule, so that
// it can be paused without the others.
type subscription struct {
	ScheduleID string // empty for an order without a subscription
	Start      string // of the first payment by the schedule, YYYY-MM-DD
	Amount     string // of each
	First      string // the payment that began it; empty until a callback reports it
	Cancelled  bool
	Payments   []planPayment
}

// planPayment is a payment of a subscription, as callbacks reported it.
type planPayment struct {
	ID, Amount, Currency string
	Date                 string // when it was made, in UTC
	Later                bool   // by the schedule
	Number               int    // among those, from 1; set when they are shown
	Status, Reason       string

	newest string // date of the newest reported transaction
	done   bool   // whether that transaction has its outcome
}

// record stores what a callback reports about a subscription. All of its payments have the number of the order;
// the later ones have their own id and name the first one.
func (s *subscription) record(n note) {
	if s.ScheduleID == "" {
		return
	}
	id, first := n.Field("id"), n.Field("recurring_init_trans_id")
	s.First = cmp.Or(s.First, first)
	list := s.Payments
	i := slices.IndexFunc(list, func(p planPayment) bool { return p.ID == id })
	switch {
	case i >= 0:
		list[i].record(n)
	case len(list) < maxPayments:
		p := planPayment{
			ID: id, Amount: n.Field("order_amount"), Currency: n.Field("order_currency"),
			Date: n.Field("date"), Later: first != "" && first != id,
		}
		p.record(n)
		s.Payments = append(list, p)
	}
}

// record stores the newest status. A callback may come twice and late, and an old one changes nothing.
func (p *planPayment) record(n note) {
	date, status := n.Field("date"), n.Field("status")
	done := status == "success" || status == "fail"
	p.Date = min(p.Date, date)
	if date < p.newest || date == p.newest && p.done && !done {
		return
	}
	p.newest, p.done = date, done
	p.Status, p.Reason = n.Field("order_status"), n.Field("reason")
}

// later orders payments of the same second: it is 1 for a scheduled one.
func (p planPayment) later() int {
	if p.Later {
		return 1
	}
	return 0
}

// Tone returns the colour of an order with such a payment.
func (p planPayment) Tone() string { return payment{Status: p.Status}.tone() }
