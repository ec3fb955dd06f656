package s2s

import (
	"maps"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// delays are the values of delayed_first_payment. Both vocabularies are accepted; answers use SPEC's (decision i).
var delays = map[string]store.Delay{
	"none":              store.NoDelay,
	"delay_by_interval": store.DelayByInterval, "by_interval": store.DelayByInterval,
	"day_of_week": store.DelayDayOfWeek, "to_day_of_week": store.DelayDayOfWeek,
	"day_of_month": store.DelayDayOfMonth, "to_day_of_month": store.DelayDayOfMonth,
}

// saysDelay is what a description says of them. Package schedule counts the days.
var saysDelay = "when the first scheduled payment is. none, or nothing: an interval of the schedule after the " +
	"payment with which the chain joined. " + spelled(store.DelayByInterval) + ": an interval of its own after it. " +
	spelled(store.DelayDayOfWeek) + ": the next such day of a week after it. " +
	spelled(store.DelayDayOfMonth) + ": the next such day of a month after it. schedule_start_date of a chain goes before"

// spelled are the values that mean a delay.
func spelled(delay store.Delay) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(delays)) {
		if delays[name] == delay {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

var isDelay = oneOf(slices.Sorted(maps.Keys(delays))...)
