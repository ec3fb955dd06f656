package schedule_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The instants come from the laws, not from the code.
func TestStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, zone, date, want string }{
		{"UTC", "UTC", "2027-01-31", "2027-01-31T00:00:00Z"},
		{"east", "Pacific/Kiritimati", "2027-01-31", "2027-01-31T00:00:00+14:00"},
		{"west", "Pacific/Pago_Pago", "2027-01-31", "2027-01-31T00:00:00-11:00"},
		{"day that loses an hour later on", "Europe/Berlin", "2026-03-29", "2026-03-29T00:00:00+01:00"},
		{"the day after it", "Europe/Berlin", "2026-03-30", "2026-03-30T00:00:00+02:00"},
		{"winter time that is the shift", "Europe/Dublin", "2026-10-26", "2026-10-26T00:00:00Z"},
		{"by rule only, far ahead", "Europe/Berlin", "2126-07-01", "2126-07-01T00:00:00+02:00"},
		{"last day of a leap year by rule", "America/New_York", "2040-12-31", "2040-12-31T00:00:00-05:00"},
		{"the day after that", "America/New_York", "2041-01-01", "2041-01-01T00:00:00-05:00"},
		{"the same in the south", "Australia/Sydney", "2041-01-01", "2041-01-01T00:00:00+11:00"},
		{"no midnight", "America/Sao_Paulo", "2018-11-04", "2018-11-04T01:00:00-02:00"},
		{"no midnight, Cairo", "Africa/Cairo", "2024-04-26", "2024-04-26T01:00:00+03:00"},
		{"no midnight, Beirut", "Asia/Beirut", "2024-03-31", "2024-03-31T01:00:00+03:00"},
		{"no midnight, Azores", "Atlantic/Azores", "2024-03-31", "2024-03-31T01:00:00Z"},
		{"midnight twice, Azores", "Atlantic/Azores", "2024-10-27", "2024-10-27T00:00:00Z"},
		{"midnight twice, Havana", "America/Havana", "2024-11-03", "2024-11-03T00:00:00-04:00"},
		{"an hour twice before midnight", "America/Sao_Paulo", "2018-02-18", "2018-02-18T00:00:00-03:00"},
		{"begun, left and begun again", "America/St_Johns", "2010-11-07", "2010-11-07T00:00:00-02:30"},
		{"the day before that", "America/St_Johns", "2010-11-06", "2010-11-06T00:00:00-02:30"},
		{"left out, Apia", "Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00"},
		{"before the one left out", "Pacific/Apia", "2011-12-29", "2011-12-29T00:00:00-10:00"},
		{"after the one left out", "Pacific/Apia", "2011-12-31", "2011-12-31T00:00:00+14:00"},
		{"left out, Kwajalein", "Pacific/Kwajalein", "1993-08-21", "1993-08-22T00:00:00+12:00"},
		{"half an hour", "Australia/Lord_Howe", "2024-10-07", "2024-10-07T00:00:00+11:00"},
		{"two hours", "Antarctica/Troll", "2024-04-01", "2024-04-01T00:00:00+02:00"},
		{"first date of all, east", "Asia/Tokyo", "0001-01-01", "0000-12-31T14:41:01Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want, err := time.Parse(time.RFC3339, c.want)
			require.NoError(t, err)
			in := zone(t, c.zone)
			got := date(t, c.date).Start(in)
			require.Equal(t, in, got.Location())
			require.Truef(t, got.Equal(want), "%s, want %s", got, want)
		})
	}
}

func TestStartFixedZone(t *testing.T) {
	t.Parallel()
	for _, hours := range []int{-200, -26, 0, 14, 26, 200} {
		in := time.FixedZone("far", hours*3600)
		require.Equal(t, time.Date(2027, 1, 31, 0, 0, 0, 0, in), date(t, "2027-01-31").Start(in), hours)
	}
}
