package shop

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"
)

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

// planView is a subscription on its page.
type planView struct {
	State  string // waits, runs, paused, ended, cancelled or unknown
	First  string // date of the first payment by the schedule, YYYY-MM-DD
	Begun  int    // payments by the schedule
	Months int
	List   []planPayment // oldest first
}

// Tone returns the colour of a state.
func (v planView) Tone() string {
	return map[string]string{"runs": "good", "paused": "open"}[v.State]
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
