package recurring_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Three years of monthly schedules, on every day of the month and with different amounts: count, dates and amounts
// are exact. The expected dates come from walking the calendar day by day. TOLLGATE_SCHEDULES=1000 tests more of
// them.
func TestThreeYearsOfSchedules(t *testing.T) {
	t.Parallel()
	schedules := 155
	if text := os.Getenv("TOLLGATE_SCHEDULES"); text != "" {
		var err error
		schedules, err = strconv.Atoi(text)
		require.NoError(t, err)
	} else if testing.Short() || kerneltest.Raced {
		schedules = 31
	}
	const months = 36
	kit := gatewaytest.New(t)
	begun := kit.Clock.Now()
	want := map[string][]string{}
	for n := range schedules {
		day, order, amount := n%31+1, fmt.Sprint("SUB-", n), fmt.Sprintf("%d.%02d", n/7+1, n%100)
		set, err := kit.Shop().CreateSchedule(t.Context(),
			kerneltest.Monthly(func(s *store.Schedule) { s.DayOfMonth, s.PaymentsCount = day, months }))
		require.NoError(t, err)
		kerneltest.Charged(t, kit, order, gatewaytest.Settles, kerneltest.OnSchedule(set),
			func(r *gateway.ChargeRequest) { r.PaymentScheduleAmount = amount })
		for _, date := range monthDays(begun, day, months) {
			want[order] = append(want[order], date+" "+amount)
		}
	}
	kit.Advance(t, time.Duration(3*366+31)*24*time.Hour) // the last date is in the 37th month
	paid := map[string][]string{}
	for _, e := range kit.Charges(t)[schedules:] {
		require.Equal(t, 1, e.Effects)
		paid[e.Order] = append(paid[e.Order], e.At.UTC().Format("2006-01-02 ")+e.Amount.String())
	}
	require.Equal(t, want, paid)
	fmt.Printf("schedules: schedules=%d payments=%d\n", schedules, schedules*months)
}

// monthDays returns the dates of one day in the next months, each limited to its month's last day.
func monthDays(begun time.Time, day, months int) (dates []string) {
	for at := begun; len(dates) < months; at = at.Add(24 * time.Hour) {
		last := at.Add(24*time.Hour).Month() != at.Month()
		if at.Month() == begun.Month() && at.Year() == begun.Year() {
			continue
		}
		if at.Day() == day || last && at.Day() < day {
			dates = append(dates, at.Format(time.DateOnly))
		}
	}
	return dates
}
