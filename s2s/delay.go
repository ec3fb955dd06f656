package s2s

import (
	"maps"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// delays are the values of delayed_first_payment. Both vocabularies are accepted; answers use SPEC's (decision i).
var delays = map[string]store.Delay{
	"none":              store.NoDelay,
	"delay_by_interval": store.DelayByInterval, "by_interval": store.DelayByInterval,
	"day_of_week": store.DelayDayOfWeek, "to_day_of_week": store.DelayDayOfWeek,
	"day_of_month": store.DelayDayOfMonth, "to_day_of_month": store.DelayDayOfMonth,
}

var isDelay = oneOf(slices.Sorted(maps.Keys(delays))...)
