package records

import "github.com/tollgatepay/gateway/store"

// The stored forms of what callers get. Each embeds the public value, which is all of it that leaves the gateway.
type (
	Callback = store.CallbackRecord
	Schedule = store.ScheduleRecord
)
