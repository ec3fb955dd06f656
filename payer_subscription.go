package gateway

import (
	"cmp"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/store"
)

// subscription is what the form of a session tells of later payments; nil where there are none. The dates
// are those of the MID that would take the payment now.
func (o *offers) subscription(s *store.Session, set *store.Schedule, p *merchant.Profile, list []MethodChoice) *Subscription {
	if !s.Extra.RecurringInit {
		return nil
	}
	if set == nil {
		return &Subscription{}
	}
	sub := &Subscription{
		Amount: cmp.Or(s.Extra.PaymentScheduleAmount, s.Order.Amount),
		Every:  set.IntervalLength, Unit: set.IntervalUnit, Count: set.PaymentsCount,
	}
	zone := ""
	if len(list) > 0 {
		if found, _ := o.router.route(store.Checkout, o.router.routeRequest(s, list[0].Code), p); len(found) > 0 {
			zone = found[0].TimeZone
			sub.Held = found[0].Operation == store.OpAuth && !fields.IsZero(s.Order.Amount)
		}
	}
	if sub.Held && s.Extra.ScheduleStartDate == "" {
		return sub
	}
	sub.Held = false
	sub.date(set, zone, s.Extra.ScheduleStartDate, o.now())
	return sub
}
