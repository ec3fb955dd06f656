package s2s

import (
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// delays are the values of delayed_first_payment. Both vocabularies are accepted; answers use SPEC's (decision i).
var delays = map[string]store.Delay{
	"none":              store.NoDelay,
	"delay_by_interval": store.DelayByInterval, "by_interval": store.DelayByInterval,
	"day_of_week": store.DelayDayOfWeek, "to_day_of_week": store.DelayDayOfWeek,
	"day_of_month": store.DelayDayOfMonth, "to_day_of_month": store.DelayDayOfMonth,
}

func isDelay(_ *reading, value string) string {
	return fields.Sound(delays[value] != "", fields.TextChoice)
}
