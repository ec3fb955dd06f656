package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCalendar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, zone, end, at, day string }{
		{"midnight, before", "", "", "2027-03-01T23:59:59.999999999Z", "2027-03-01"},
		{"midnight, at", "", "", "2027-03-02T00:00:00Z", "2027-03-02"},
		{"evening, before", "", "18:30", "2027-03-01T18:29:59.999999999Z", "2027-03-01"},
		{"evening, at", "", "18:30", "2027-03-01T18:30:00Z", "2027-03-02"},
		{"morning, before", "", "05:00", "2027-03-01T04:59:59.999999999Z", "2027-03-01"},
		{"east, before", "Asia/Kolkata", "", "2027-03-01T18:29:59.999999999Z", "2027-03-01"},
		{"east, at", "Asia/Kolkata", "", "2027-03-01T18:30:00Z", "2027-03-02"},
		{"a day of 23 hours, before", "America/New_York", "05:00", "2027-03-14T08:59:59.999999999Z", "2027-03-14"},
		{"a day of 23 hours, at", "America/New_York", "05:00", "2027-03-14T09:00:00Z", "2027-03-15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			at, err := time.Parse(time.RFC3339Nano, c.at)
			require.NoError(t, err)
			s := swarm{zone: c.zone, dayEnd: c.end}
			days := s.calendar()
			require.Equal(t, c.day, days.day(at))
			require.Equal(t, c.day, days.day(days.close(at).Add(-2*time.Hour)), "the day before its end")
			require.NotEqual(t, c.day, days.day(days.close(at).Add(2*time.Hour)), "the day after its end")
		})
	}
}
