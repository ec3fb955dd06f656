package s2s

import (
	"context"
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

func createSchedule(ctx context.Context, c *call) (body, error) {
	var plan store.Schedule
	c.plan(&plan)
	if err := c.delayFits(&plan.First); err != nil {
		return nil, err
	}
	s, err := c.client.CreateSchedule(ctx, plan)
	if err != nil {
		return nil, err
	}
	return c.done(member{"schedule_id", s.ID}), nil
}

// updateSchedule changes only what was sent (SPEC2, Schedules).
func updateSchedule(ctx context.Context, c *call) (body, error) {
	_, err := c.client.UpdateSchedule(ctx, c.schedule.ID, func(s *store.Schedule) error {
		c.plan(s)
		if err := c.delayFits(&s.First); err != nil {
			return err
		}
		if s.IntervalUnit == store.Day && c.text("day_of_month") != "" {
			return gateway.ErrInvalid.Fields(gateway.Fault{Path: "day_of_month", Text: fields.TextNeedsMonths})
		}
		return nil
	})
	return c.finished(err)
}

// plan sets what was sent. The form was checked.
func (c *call) plan(s *store.Schedule) {
	number := func(name string, into *int) {
		if n, err := strconv.Atoi(c.text(name)); err == nil {
			*into = n
		}
	}
	if name := c.text("name"); name != "" {
		s.Name = name
	}
	number("interval_length", &s.IntervalLength)
	if unit := c.text("interval_unit"); unit != "" {
		s.IntervalUnit = store.IntervalUnit(unit)
	}
	number("day_of_month", &s.DayOfMonth)
	if s.IntervalUnit == store.Day {
		s.DayOfMonth = 0 // of the months that it counted before
	}
	number("payments_count", &s.PaymentsCount)
	c.delay(&s.First, number)
}

// delay sets the delay of the first payment. Another kind of delay replaces it; for the same kind the parts that
// were sent change.
func (c *call) delay(f *store.FirstPayment, number func(string, *int)) {
	if kind := delays[c.text("delayed_first_payment")]; kind != "" && kind != f.Delay {
		*f = store.FirstPayment{Delay: kind}
	}
	switch f.Delay {
	case store.DelayByInterval:
		number("first_payment_interval_length", &f.IntervalLength)
		if unit := c.text("first_payment_interval_unit"); unit != "" {
			f.IntervalUnit = store.IntervalUnit(unit)
		}
	case store.DelayDayOfWeek:
		number("first_payment_day_of_week", &f.DayOfWeek)
	case store.DelayDayOfMonth:
		number("first_payment_day_of_month", &f.DayOfMonth)
	}
}

// delayFits checks the parameters of the first payment against its delay, whether stored or sent: each kind has
// required parts, and takes those of no other (decision bz).
func (c *call) delayFits(f *store.FirstPayment) error {
	var faults []gateway.Fault
	for _, part := range []struct {
		name string
		of   store.Delay
		none bool
	}{
		{"first_payment_interval_length", store.DelayByInterval, f.IntervalLength == 0},
		{"first_payment_interval_unit", store.DelayByInterval, f.IntervalUnit == ""},
		{"first_payment_day_of_week", store.DelayDayOfWeek, f.DayOfWeek == 0},
		{"first_payment_day_of_month", store.DelayDayOfMonth, f.DayOfMonth == 0},
	} {
		switch {
		case f.Delay != part.of && c.text(part.name) != "":
			text := fields.TextOfDelay(string(f.Delay), string(part.of))
			faults = append(faults, gateway.Fault{Path: part.name, Text: text})
		case f.Delay == part.of && part.none:
			faults = append(faults, gateway.Fault{Path: part.name, Text: fields.TextBlank})
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return gateway.ErrInvalid.Fields(faults...)
}

func pauseSchedule(ctx context.Context, c *call) (body, error) {
	return c.finished(c.client.PauseSchedule(ctx, c.schedule.ID))
}

func runSchedule(ctx context.Context, c *call) (body, error) {
	return c.finished(c.client.RunSchedule(ctx, c.schedule.ID))
}

func deleteSchedule(ctx context.Context, c *call) (body, error) {
	return c.finished(c.client.DeleteSchedule(ctx, c.schedule.ID))
}

func deschedule(ctx context.Context, c *call) (body, error) {
	return c.finished(c.client.Deschedule(ctx, c.text("recurring_token"), c.schedule.ID))
}

func (c *call) finished(err error) (body, error) {
	if err != nil {
		return nil, err
	}
	return c.done(), nil
}

// scheduleInfo reports a schedule. delays is null: it is removed (SPEC1, version history 6.7.0).
func scheduleInfo(_ context.Context, c *call) (body, error) {
	s := c.schedule
	body := c.done(member{"name", s.Name}, member{"interval_length", s.IntervalLength},
		member{"interval_unit", string(s.IntervalUnit)})
	if s.DayOfMonth > 0 {
		body = append(body, member{"day_of_month", s.DayOfMonth})
	}
	body = append(body, member{"payments_count", s.PaymentsCount}, member{"delays", nil},
		member{"paused", yesNo(s.Paused)})
	return slices.Concat(body, firstPayment(&s.First)), nil
}

func yesNo(yes bool) string {
	if yes {
		return "Y"
	}
	return "N"
}

// firstPayment reports the delay of the first payment with the parts of that kind.
func firstPayment(f *store.FirstPayment) object {
	switch f.Delay {
	case store.DelayByInterval:
		return object{
			{"delayed_first_payment", string(f.Delay)},
			{"first_payment_interval_length", f.IntervalLength}, {"first_payment_interval_unit", string(f.IntervalUnit)},
		}
	case store.DelayDayOfWeek:
		return object{{"delayed_first_payment", string(f.Delay)}, {"first_payment_day_of_week", f.DayOfWeek}}
	case store.DelayDayOfMonth:
		return object{{"delayed_first_payment", string(f.Delay)}, {"first_payment_day_of_month", f.DayOfMonth}}
	}
	return object{{"delayed_first_payment", string(store.NoDelay)}}
}
