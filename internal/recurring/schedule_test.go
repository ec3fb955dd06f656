package recurring_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func TestScheduleRules(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for _, c := range []struct {
		name   string
		change func(*store.Schedule)
		faults []string
	}{
		{"good", func(*store.Schedule) {}, nil},
		{"by days", func(s *store.Schedule) { s.IntervalUnit, s.DayOfMonth = store.Day, 0 }, nil},
		{"delayed by an interval", func(s *store.Schedule) {
			s.First = store.FirstPayment{Delay: store.DelayByInterval, IntervalLength: 3, IntervalUnit: store.Day}
		}, nil},
		{"delayed to a weekday", func(s *store.Schedule) { s.First = store.FirstPayment{Delay: store.DelayDayOfWeek, DayOfWeek: 7} }, nil},
		{"delayed to a day", func(s *store.Schedule) { s.First = store.FirstPayment{Delay: store.DelayDayOfMonth, DayOfMonth: 31} }, nil},
		{"nothing", func(s *store.Schedule) { *s = store.Schedule{} }, []string{"name", "interval_length", "interval_unit", "payments_count"}},
		{"long name", func(s *store.Schedule) { s.Name = strings.Repeat("ä", 101) }, []string{"name"}},
		{"a name of 100", func(s *store.Schedule) { s.Name = strings.Repeat("ä", 100) }, nil},
		{"no interval", func(s *store.Schedule) { s.IntervalLength = 0 }, []string{"interval_length"}},
		{"weeks", func(s *store.Schedule) { s.IntervalUnit = "week" }, []string{"interval_unit", "day_of_month"}},
		{"a day with days", func(s *store.Schedule) { s.IntervalUnit = store.Day }, []string{"day_of_month"}},
		{"the 32nd", func(s *store.Schedule) { s.DayOfMonth = 32 }, []string{"day_of_month"}},
		{"no payments", func(s *store.Schedule) { s.PaymentsCount = 0 }, []string{"payments_count"}},
		{"no such delay", func(s *store.Schedule) { s.First.Delay = "by_interval" }, []string{"delayed_first_payment"}},
		{"an eighth day", func(s *store.Schedule) { s.First = store.FirstPayment{Delay: store.DelayDayOfWeek, DayOfWeek: 8} }, []string{"first_payment_day_of_week"}},
		{"no day", func(s *store.Schedule) { s.First = store.FirstPayment{Delay: store.DelayDayOfMonth} }, []string{"first_payment_day_of_month"}},
		{"a weekday without a delay", func(s *store.Schedule) { s.First = store.FirstPayment{DayOfWeek: 1} }, []string{"first_payment_day_of_week"}},
		{"an interval under none", func(s *store.Schedule) {
			s.First = store.FirstPayment{Delay: store.NoDelay, IntervalLength: 1, IntervalUnit: store.Day}
		}, []string{"first_payment_interval_length", "first_payment_interval_unit"}},
		{"a weekday with an interval", func(s *store.Schedule) {
			s.First = store.FirstPayment{Delay: store.DelayByInterval, IntervalLength: 3, IntervalUnit: store.Day, DayOfWeek: 1}
		}, []string{"first_payment_day_of_week"}},
		{"a day with a weekday", func(s *store.Schedule) {
			s.First = store.FirstPayment{Delay: store.DelayDayOfWeek, DayOfWeek: 1, DayOfMonth: 1}
		}, []string{"first_payment_day_of_month"}},
		{"an interval with a day", func(s *store.Schedule) {
			s.First = store.FirstPayment{Delay: store.DelayDayOfMonth, DayOfMonth: 1, IntervalLength: 1, IntervalUnit: store.Day}
		}, []string{"first_payment_interval_length", "first_payment_interval_unit"}},
		{"no delay length", func(s *store.Schedule) { s.First = store.FirstPayment{Delay: store.DelayByInterval} },
			[]string{"first_payment_interval_length", "first_payment_interval_unit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.Monthly(c.change))
			if c.faults == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, gateway.ErrInvalid)
			var paths []string
			for _, fault := range gateway.AsError(err).Faults() {
				paths = append(paths, fault.Path)
			}
			require.Equal(t, c.faults, paths)
		})
	}
}

func TestScheduleIsKept(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	ctx, key := t.Context(), gatewaytest.MerchantKey
	s := kerneltest.Scheduled(t, kit)
	read, err := kit.Merchant(key).Schedule(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, read)
	changed, err := kit.Merchant(key).UpdateSchedule(ctx, s.ID, func(s *store.Schedule) error {
		s.Name, s.ID, s.MerchantID, s.Test = "Yearly", "mine", kerneltest.OtherID, true
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "Yearly", changed.Name)
	require.Equal(t, []any{s.ID, s.MerchantID, false},
		[]any{changed.ID, changed.MerchantID, changed.Test}, "fields that the caller cannot change")
	_, err = kit.Merchant(key).UpdateSchedule(ctx, s.ID, func(s *store.Schedule) error { s.PaymentsCount = 0; return nil })
	require.ErrorIs(t, err, gateway.ErrInvalid)
	own := errors.New("the caller's own")
	_, err = kit.Merchant(key).UpdateSchedule(ctx, s.ID, func(*store.Schedule) error { return own })
	require.ErrorIs(t, err, own)
	read, err = kit.Merchant(key).Schedule(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, changed, read, "a refused change leaves nothing")
	require.NoError(t, kit.Merchant(key).DeleteSchedule(ctx, s.ID))
	_, err = kit.Merchant(key).Schedule(ctx, s.ID)
	require.ErrorIs(t, err, gateway.ErrNoSchedule)
}

func TestPauseAndRun(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	ctx, key := t.Context(), gatewaytest.MerchantKey
	s := kerneltest.Scheduled(t, kit)
	require.ErrorIs(t, kit.Merchant(key).RunSchedule(ctx, s.ID), gateway.ErrSchedule, "it runs already")
	require.NoError(t, kit.Merchant(key).PauseSchedule(ctx, s.ID))
	require.ErrorIs(t, kit.Merchant(key).PauseSchedule(ctx, s.ID), gateway.ErrSchedule)
	_, err := kit.Shop().Charge(ctx, kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(s)))
	require.ErrorIs(t, err, gateway.ErrSchedule, "a paused one begins no chain")
	require.Empty(t, kit.Charges(t))
	require.NoError(t, kit.Merchant(key).RunSchedule(ctx, s.ID))
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(s))
}

// A schedule that a chain is on is not deleted; Deschedule takes the chain off it, once.
func TestScheduleInUse(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.SaveOtherMerchant(t, kit)
	ctx, key := t.Context(), gatewaytest.MerchantKey
	s, unused := kerneltest.Scheduled(t, kit), kerneltest.Scheduled(t, kit)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(s)).Payment
	require.Equal(t, s.ID, kerneltest.FormsOf(t, kit, "ORD-1")[0].Get("schedule_id"))
	require.ErrorIs(t, kit.Merchant(key).DeleteSchedule(ctx, s.ID), gateway.ErrSchedule)
	require.ErrorIs(t, kit.Merchant(key).Deschedule(ctx, "no chain", s.ID), gateway.ErrNoChain)
	require.ErrorIs(t, kit.Merchant(kerneltest.OtherKey).Deschedule(ctx, first.RecurringToken, s.ID), gateway.ErrNoChain)
	require.ErrorIs(t, kit.Merchant(key).Deschedule(ctx, first.RecurringToken, unused.ID), gateway.ErrNoSchedule)
	require.Error(t, kit.Merchant(gatewaytest.TestKey).Deschedule(ctx, first.RecurringToken, s.ID))
	require.NoError(t, kit.Merchant(key).PauseSchedule(ctx, s.ID), "a running schedule may be paused")
	require.NoError(t, kit.Merchant(key).Deschedule(ctx, first.RecurringToken, s.ID), "and left")
	require.NoError(t, kit.Merchant(key).Deschedule(ctx, first.RecurringToken, s.ID),
		"repeating it changes nothing (decision bz)")
	require.ErrorIs(t, kit.Merchant(key).Deschedule(ctx, first.RecurringToken, "none"), gateway.ErrNoSchedule)
	require.NoError(t, kit.Merchant(key).DeleteSchedule(ctx, s.ID))
	require.Equal(t, store.Settled, kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2")).Payment.Status,
		"the chain itself is still good")
}

// A chain whose first payment was declined uses no schedule.
func TestDeclinedChainUsesNoSchedule(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	s := kerneltest.Scheduled(t, kit)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Declines, kerneltest.OnSchedule(s))
	require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), s.ID))
}

func TestScheduleOfNobody(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.SaveOtherMerchant(t, kit)
	s := kerneltest.Scheduled(t, kit)
	ctx := t.Context()
	same := func(*store.Schedule) error { return nil }
	for name, c := range map[string]struct{ key, id string }{
		"another merchant's": {kerneltest.OtherKey, s.ID}, "the test key": {gatewaytest.TestKey, s.ID},
		"none": {gatewaytest.MerchantKey, "none"}, "empty": {gatewaytest.MerchantKey, ""},
	} {
		_, err := kit.Merchant(c.key).Schedule(ctx, c.id)
		require.ErrorIs(t, err, gateway.ErrNoSchedule, name)
		_, err = kit.Merchant(c.key).UpdateSchedule(ctx, c.id, same)
		require.ErrorIs(t, err, gateway.ErrNoSchedule, name)
		require.ErrorIs(t, kit.Merchant(c.key).PauseSchedule(ctx, c.id), gateway.ErrNoSchedule, name)
		require.ErrorIs(t, kit.Merchant(c.key).RunSchedule(ctx, c.id), gateway.ErrNoSchedule, name)
		require.ErrorIs(t, kit.Merchant(c.key).DeleteSchedule(ctx, c.id), gateway.ErrNoSchedule, name)
	}
	for _, key := range []string{kerneltest.OtherKey, gatewaytest.TestKey} {
		_, err := kit.Merchant(key).Charge(ctx, kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(s)))
		require.ErrorIs(t, err, gateway.ErrNoSchedule, key)
	}
	require.Empty(t, kit.Charges(t))
}

// stopper is an acquirer that runs its own schedules.
type stopper struct {
	kerneltest.Plain
	answer func(methods.Operation) methods.Answer
}

func (s stopper) StopSchedule(_ context.Context, op methods.Operation) methods.Answer {
	return s.answer(op)
}

// STOP_SCHEDULE is sent to the acquirer, for a settled payment. vcard runs a schedule only if the MID says so.
func TestStopSchedule(t *testing.T) {
	t.Parallel()
	var asked []string
	for _, c := range []struct {
		name   string
		answer func(methods.Operation) methods.Answer
		err    error
	}{
		{"stopped", func(op methods.Operation) methods.Answer { return methods.Approved(op, op.ParentReference) }, nil},
		{"refused", func(op methods.Operation) methods.Answer { return methods.Declined(op, "no schedule") }, gateway.ErrStop},
		{"no answer", func(op methods.Operation) methods.Answer { return methods.Unknown(op, "timeout") }, gateway.ErrInternal},
		{"a panic", func(methods.Operation) methods.Answer { panic("stop") }, gateway.ErrInternal},
	} {
		kit := gatewaytest.New(t)
		kerneltest.SaveOtherMerchant(t, kit)
		first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles,
			kerneltest.OnSchedule(kerneltest.Scheduled(t, kit))).Payment
		declined := kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Declines).Payment
		before := kerneltest.Audit(t, kit)
		require.ErrorIs(t, kit.Shop().StopSchedule(t.Context(), first.ID), gateway.ErrStop,
			"no schedule runs")
		able := kit.Twin(t, func(cfg *gateway.Config) {
			cfg.Connectors["vcard"] = stopper{kerneltest.Plain{Connector: kit.Vcard}, func(op methods.Operation) methods.Answer {
				asked = append(asked, op.PaymentID)
				return c.answer(op)
			}}
		})
		err := able.Shop().StopSchedule(t.Context(), first.ID)
		if c.err == nil {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorIs(t, gateway.AsError(err), c.err, c.name)
		}
		require.Equal(t, []string{first.ID}, asked)
		asked = nil
		require.ErrorIs(t, able.Shop().StopSchedule(t.Context(), declined.ID), gateway.ErrStop)
		require.ErrorIs(t, able.Merchant(kerneltest.OtherKey).StopSchedule(t.Context(), first.ID), gateway.ErrNoPayment)
		require.Empty(t, asked)
		require.Equal(t, before, kerneltest.Audit(t, kit), "no record changes")
	}
}
