package shop

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"
)

// plan is how a product is subscribed to: one payment now, then one every month.
type plan struct {
	Months int             // number of payments after the first one
	Price  decimal.Decimal // of each of those
}

// Later returns the monthly price of a quantity, in the gateway's format.
func (p product) Later(quantity int) string {
	return p.Plan.Price.Mul(decimal.NewFromInt(int64(quantity))).StringFixed(p.Places)
}

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

// plan makes the schedule of an order that is a subscription.
func (s *Shop) plan(ctx context.Context, o *order) (exchange, error) {
	if o.Product.Plan == nil {
		return exchange{}, nil
	}
	said := s.api.schedule(ctx, "CREATE_SCHEDULE", url.Values{
		"name": {o.Description}, "interval_length": {"1"}, "interval_unit": {"month"},
		"payments_count": {strconv.Itoa(o.Product.Plan.Months)},
	})
	var made struct {
		ScheduleID string `json:"schedule_id"`
	}
	err := said.decode(&made)
	if err == nil && made.ScheduleID == "" {
		err = errors.New("the schedule has no id")
	}
	o.Plan = subscription{ScheduleID: made.ScheduleID, Start: o.PlacedAt.Format(time.DateOnly),
		Amount: o.Product.Later(o.Quantity)}
	o.Exchanges = append(o.Exchanges, said)
	return said, err
}

// record stores what a callback reports about a subscription. All of its payments have the number of the order;
// the later ones have their own id and name the first one.
func (o *order) record(n note) {
	if o.Plan.ScheduleID == "" {
		return
	}
	id, first := n.Field("id"), n.Field("recurring_init_trans_id")
	o.Plan.First = cmp.Or(o.Plan.First, first)
	list := o.Plan.Payments
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
		o.Plan.Payments = append(list, p)
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

// planView is a subscription on its page.
type planView struct {
	State  string // waits, runs, paused, ended, cancelled or unknown
	First  string // date of the first payment by the schedule, YYYY-MM-DD
	Begun  int    // payments by the schedule
	Months int
	List   []planPayment // oldest first
}

// planView asks the gateway whether the schedule runs. That a subscriber has left it, only the shop knows.
func (s *Shop) planView(ctx context.Context, o *order, first payment) (planView, exchange) {
	list := slices.Clone(o.Plan.Payments)
	slices.SortStableFunc(list, func(a, b planPayment) int {
		return cmp.Or(a.later()-b.later(), cmp.Compare(a.Date, b.Date))
	})
	v := planView{First: first.FirstRecurring, Months: o.Product.Plan.Months, List: list}
	for i := range list {
		if list[i].Later {
			v.Begun++
			list[i].Number = v.Begun
		}
	}
	said := s.api.schedule(ctx, "SCHEDULE_INFO", url.Values{"schedule_id": {o.Plan.ScheduleID}})
	var info struct {
		Paused string `json:"paused"`
	}
	err := said.decode(&info)
	v.State = stateOf(o.Plan.Cancelled || over(first), v.Begun >= v.Months, first.RecurringToken != "", info.Paused, err)
	return v, said
}

// over reports whether a first payment was refunded or voided, which ends its subscription.
func over(first payment) bool {
	back := first.Status == "void" || first.Status == "chargeback"
	return back && first.RecurringToken == ""
}

func stateOf(cancelled, all, begun bool, paused string, err error) string {
	switch {
	case cancelled:
		return "cancelled"
	case all:
		return "ended"
	case !begun:
		return "waits"
	case err != nil:
		return "unknown"
	case paused == "Y":
		return "paused"
	}
	return "runs"
}

// Tone returns the colour of a state.
func (v planView) Tone() string {
	return map[string]string{"runs": "good", "paused": "open"}[v.State]
}

// later orders payments of the same second: it is 1 for a scheduled one.
func (p planPayment) later() int {
	if p.Later {
		return 1
	}
	return 0
}

// Tone returns the colour of an order with such a payment.
func (p planPayment) Tone() string { return row{Payment: payment{Status: p.Status}}.Tone() }

// planActions are the S2S actions of a subscription's buttons, by the end of their path.
var planActions = map[string]string{"pause": "PAUSE_SCHEDULE", "run": "RUN_SCHEDULE", "unsubscribe": "DESCHEDULE"}

// actOnPlan pauses the schedule, runs it, or removes the subscriber from it.
func (s *Shop) actOnPlan(ctx context.Context, o *order, action, token string) exchange {
	fields := url.Values{"schedule_id": {o.Plan.ScheduleID}}
	if action == "unsubscribe" {
		fields.Set("recurring_token", token)
	}
	said := s.api.schedule(ctx, planActions[action], fields)
	if said.OK() && action == "unsubscribe" {
		s.orders.change(o.Number, func(o *order) { o.Plan.Cancelled = true })
	}
	return said
}
