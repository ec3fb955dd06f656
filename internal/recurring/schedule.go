package recurring

import (
	"cmp"
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// maxInterval and maxCount bound a schedule; the specification has no limits.
const (
	maxInterval = 1000
	maxCount    = 10_000
)

// CreateSchedule stores a new schedule, with an id and times made here, and with it what claim takes. It returns
// ErrInvalid naming fields, and the errors of claim.
func (a *Agreements) CreateSchedule(ctx context.Context, w records.Owner, s store.Schedule,
	claim func(store.Tx, string) error) (*store.Schedule, error) {
	var err error
	if s.ID, err = a.NewID(); err != nil {
		return nil, err
	}
	now := a.Now()
	s.MerchantID, s.Test, s.Paused = w.MerchantID, w.Test, false
	s.CreatedAt, s.UpdatedAt = now, now
	if faults := scheduleFaults(&s); len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	stored := func(r store.Reader) error { _, err := OwnSchedule(r, w, s.ID); return err }
	err = records.Create(ctx, a.Store, stored, func(tx store.Tx) error {
		if err := claim(tx, s.ID); err != nil {
			return err
		}
		return records.Schedules.Insert(tx, records.Schedule{Schedule: s}, s.MerchantID, s.ID)
	})
	if err != nil {
		return nil, err
	}
	return &s, nil
}

// UpdateSchedule changes a schedule: change gets the current one and sets the new values. It may run more than
// once. Chains on the schedule use the new dates, counted from their newest payment; the next date is the first one
// in the future (decision bp). It returns ErrNoSchedule, ErrInvalid naming fields, and the errors of change.
func (a *Agreements) UpdateSchedule(ctx context.Context, w records.Owner, id string,
	change func(*store.Schedule) error) (*store.Schedule, error) {
	var changed records.Schedule
	err := a.update(ctx, func(tx store.Tx) (err error) {
		if changed, err = OwnSchedule(tx, w, id); err != nil {
			return err
		}
		was := changed
		if err := change(&changed.Schedule); err != nil {
			return err
		}
		changed.ID, changed.MerchantID, changed.Test, changed.CreatedAt = was.ID, was.MerchantID, was.Test, was.CreatedAt
		changed.UpdatedAt = a.Now()
		if faults := scheduleFaults(&changed.Schedule); len(faults) > 0 {
			return refusal.ErrInvalid.Fields(faults...)
		}
		if !changed.Paused && (was.Paused || !changed.SameDates(&was.Schedule)) {
			if err := queueReplan(tx, &changed); err != nil {
				return err
			}
		}
		return records.Schedules.Put(tx, changed, changed.MerchantID, changed.ID)
	})
	if err != nil {
		return nil, err
	}
	return &changed.Schedule, nil
}

// SetPaused pauses or resumes a schedule.
func (a *Agreements) SetPaused(ctx context.Context, w records.Owner, id string, paused bool) error {
	_, err := a.UpdateSchedule(ctx, w, id, func(s *store.Schedule) error {
		if s.Paused == paused {
			return refusal.ErrSchedule
		}
		s.Paused = paused
		return nil
	})
	return err
}

// DeleteSchedule deletes a schedule that no chain is on, and that no payment under way moves a chain to. A later
// payment that names it and was declined softly does not block it: when that payment is retried, it leaves its
// chain where it is. It returns ErrNoSchedule and ErrSchedule.
func (a *Agreements) DeleteSchedule(ctx context.Context, w records.Owner, id string) error {
	return a.update(ctx, func(tx store.Tx) error {
		s, err := OwnSchedule(tx, w, id)
		if err != nil {
			return err
		}
		if used, err := inUse(tx, &s); err != nil || used {
			return cmp.Or(err, error(refusal.ErrSchedule))
		}
		return errors.Join(moveSchedule(tx, &s, time.Time{}), records.Schedules.Delete(tx, s.MerchantID, s.ID))
	})
}

// Schedule returns one of the merchant's schedules. It returns ErrNoSchedule if there is none.
func (a *Agreements) Schedule(ctx context.Context, w records.Owner, id string) (s *store.Schedule, err error) {
	err = a.Store.View(ctx, func(r store.Reader) error {
		found, err := OwnSchedule(r, w, id)
		s = &found.Schedule
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Deschedule takes a chain off its schedule, so that it charges nothing more. Repeating it is no error (decision
// bz). It returns ErrNoChain, and ErrNoSchedule if the schedule does not exist or the chain is on another.
func (a *Agreements) Deschedule(ctx context.Context, w records.Owner, token, scheduleID string) error {
	return a.update(ctx, func(tx store.Tx) error {
		chain, err := records.Chains.Get(tx, w.MerchantID, token)
		switch {
		case records.Absent(err):
			return refusal.ErrNoChain
		case err != nil:
			return err
		case chain.Test != w.Test:
			return refusal.ErrNoSchedule
		case chain.ScheduleID == "" && chain.Joining == nil: // it left before
			_, err = OwnSchedule(tx, w, scheduleID)
			return err
		case !chain.IsOn(scheduleID):
			return refusal.ErrNoSchedule
		}
		if err := errors.Join(unjoinSchedule(&chain, tx), leaveSchedule(&chain, tx)); err != nil {
			return err
		}
		return records.Chains.Put(tx, chain, chain.MerchantID, chain.Token)
	})
}

// OwnSchedule returns a schedule of this caller. A schedule of another caller gives the same error as one that does
// not exist.
func OwnSchedule(r store.Reader, w records.Owner, id string) (records.Schedule, error) {
	s, err := records.Schedules.Get(r, w.MerchantID, id)
	if records.Absent(err) || err == nil && s.Test != w.Test {
		return records.Schedule{}, refusal.ErrNoSchedule
	}
	return s, err
}

// MayUse returns the error if a chain cannot begin on a schedule now, so that the merchant learns of it before the
// payer does.
func (a *Agreements) MayUse(ctx context.Context, w records.Owner, id string) error {
	if id == "" {
		return nil
	}
	return a.Store.View(ctx, func(r store.Reader) error {
		s, err := OwnSchedule(r, w, id)
		if err == nil && s.Paused {
			return refusal.ErrSchedule
		}
		return err
	})
}

// scheduleFaults checks a schedule by s2s_card.md, "Schedules", and SPEC2.
func scheduleFaults(s *store.Schedule) (faults []refusal.Fault) {
	require := func(ok bool, path, text string) {
		if !ok {
			faults = append(faults, refusal.Fault{Path: path, Text: text})
		}
	}
	within := func(n, least, most int, path string) {
		require(n >= least && n <= most, path, fields.TextWithin(least, most))
	}
	unit := func(u store.IntervalUnit, path string) {
		require(u == store.Day || u == store.Month, path, fields.TextChoice)
	}
	require(s.Name != "", "name", fields.TextBlank)
	require(utf8.RuneCountInString(s.Name) <= 100, "name", fields.TextLong(100))
	require(!store.HoldsPAN(s.Name), "name", fields.TextCard)
	require(fields.IsPrintable(s.Name), "name", fields.TextPrintable)
	within(s.IntervalLength, 1, maxInterval, "interval_length")
	unit(s.IntervalUnit, "interval_unit")
	within(s.DayOfMonth, 0, 31, "day_of_month")
	require(s.DayOfMonth == 0 || s.IntervalUnit == store.Month, "day_of_month", fields.TextNeedsMonths)
	within(s.PaymentsCount, 1, maxCount, "payments_count")
	switch s.First.Delay {
	case "", store.NoDelay:
	case store.DelayByInterval:
		within(s.First.IntervalLength, 1, maxInterval, "first_payment_interval_length")
		unit(s.First.IntervalUnit, "first_payment_interval_unit")
	case store.DelayDayOfWeek:
		within(s.First.DayOfWeek, 1, 7, "first_payment_day_of_week")
	case store.DelayDayOfMonth:
		within(s.First.DayOfMonth, 1, 31, "first_payment_day_of_month")
	default:
		require(false, "delayed_first_payment", fields.TextChoice)
	}
	return append(faults, ofAnotherDelay(&s.First)...)
}

// ofAnotherDelay names the parts of a delay that the first payment does not have (decision bz).
func ofAnotherDelay(f *store.FirstPayment) (faults []refusal.Fault) {
	for _, part := range []struct {
		path string
		of   store.Delay
		set  bool
	}{
		{"first_payment_interval_length", store.DelayByInterval, f.IntervalLength != 0},
		{"first_payment_interval_unit", store.DelayByInterval, f.IntervalUnit != ""},
		{"first_payment_day_of_week", store.DelayDayOfWeek, f.DayOfWeek != 0},
		{"first_payment_day_of_month", store.DelayDayOfMonth, f.DayOfMonth != 0},
	} {
		if part.set && part.of != f.Delay {
			faults = append(faults, refusal.Fault{Path: part.path, Text: fields.TextOfDelay(string(f.Delay), string(part.of))})
		}
	}
	return faults
}
