package gateway

import (
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// scheduleOf is the schedule that a session begins a chain on; nil where there is none, or none any more.
func scheduleOf(r store.Reader, s *store.Session) (*store.Schedule, error) {
	if !s.Extra.RecurringInit || s.Extra.ScheduleID == "" {
		return nil, nil
	}
	set, err := recurring.OwnSchedule(r, records.Owner{MerchantID: s.MerchantID, Test: s.Test}, s.Extra.ScheduleID)
	switch {
	case err == refusal.ErrNoSchedule:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &set, nil
}
