package schedule_test

import (
	"encoding/json"
	"testing"
	"time"
	_ "time/tzdata" // the tests need zones, even on systems without zone files

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/schedule"
)

// date is a date that the test knows to be valid.
func date(t testing.TB, text string) schedule.Date {
	t.Helper()
	d, err := schedule.ParseDate(text)
	require.NoError(t, err)
	return d
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	require.NoError(t, err)
	return z
}

func TestParseDate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       schedule.Date // zero: an error
	}{
		{"plain", "2027-01-31", schedule.Date{Year: 2027, Month: 1, Day: 31}},
		{"leap day", "2028-02-29", schedule.Date{Year: 2028, Month: 2, Day: 29}},
		{"leap day of a fourth century", "2000-02-29", schedule.Date{Year: 2000, Month: 2, Day: 29}},
		{"first", "0001-01-01", schedule.Date{Year: 1, Month: 1, Day: 1}},
		{"last", "9999-12-31", schedule.Date{Year: 9999, Month: 12, Day: 31}},
		{"no leap day", "2027-02-29", schedule.Date{}},
		{"no leap day in a century", "2100-02-29", schedule.Date{}},
		{"31 April", "2027-04-31", schedule.Date{}},
		{"day 0", "2027-04-00", schedule.Date{}},
		{"day 32", "2027-01-32", schedule.Date{}},
		{"month 0", "2027-00-01", schedule.Date{}},
		{"month 13", "2027-13-01", schedule.Date{}},
		{"year 0", "0000-01-01", schedule.Date{}},
		{"year of five digits", "10000-01-01", schedule.Date{}},
		{"year of three digits", "999-01-01", schedule.Date{}},
		{"sign", "+027-01-01", schedule.Date{}},
		{"minus", "-027-01-01", schedule.Date{}},
		{"short month", "2027-1-01", schedule.Date{}},
		{"short day", "2027-01-1", schedule.Date{}},
		{"slashes", "2027/01/01", schedule.Date{}},
		{"no separators", "20270101", schedule.Date{}},
		{"empty", "", schedule.Date{}},
		{"space before", " 2027-01-01", schedule.Date{}},
		{"space after", "2027-01-01 ", schedule.Date{}},
		{"line end", "2027-01-01\n", schedule.Date{}},
		{"time", "2027-01-01T00:00:00Z", schedule.Date{}},
		{"other digits", "２０２７-01-01", schedule.Date{}},
		{"NUL", "2027-01-0\x00", schedule.Date{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := schedule.ParseDate(c.text)
			require.Equal(t, c.want, got)
			require.Equal(t, c.want.IsZero(), err != nil)
			if err == nil {
				require.Equal(t, c.text, got.String())
			} else if c.text != "" {
				require.NotContains(t, err.Error(), c.text)
			}
		})
	}
}

func TestDateOf(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	for _, c := range []struct{ name, zone, want string }{
		{"UTC", "UTC", "2026-12-31"},
		{"east", "Pacific/Kiritimati", "2027-01-01"},
		{"west", "Pacific/Pago_Pago", "2026-12-31"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, schedule.DateOf(at, zone(t, c.zone)).String())
		})
	}
	require.Equal(t, "2027-01-01", schedule.DateOf(at.Add(1), time.UTC).String())
}

func TestCompare(t *testing.T) {
	t.Parallel()
	order := []string{"0001-01-01", "2026-12-31", "2027-01-31", "2027-02-01", "2027-02-28", "2028-01-01", "9999-12-31"}
	for i, a := range order {
		for j, b := range order {
			got := date(t, a).Compare(date(t, b))
			require.Equal(t, i < j, got < 0, "%s %s", a, b)
			require.Equal(t, i == j, got == 0, "%s %s", a, b)
		}
		require.Negative(t, schedule.Date{}.Compare(date(t, a)))
	}
	require.True(t, schedule.Date{}.IsZero())
	require.False(t, date(t, "0001-01-01").IsZero())
}

func TestAddDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, from string
		days       int
		want       string
	}{
		{"none", "2027-01-31", 0, "2027-01-31"},
		{"end of a month", "2027-01-31", 1, "2027-02-01"},
		{"end of a year", "2026-12-31", 1, "2027-01-01"},
		{"to a leap day", "2028-02-28", 1, "2028-02-29"},
		{"over no leap day", "2027-02-28", 1, "2027-03-01"},
		{"back", "2028-03-01", -1, "2028-02-29"},
		{"400 years", "2000-02-29", 146_097, "2400-02-29"},
		{"beyond four digits", "9999-12-31", 1, "10000-01-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, date(t, c.from).AddDays(c.days).String())
		})
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	type kept struct {
		Anchor schedule.Anchor `json:"anchor"`
		Start  schedule.Date   `json:"start"`
		Left   schedule.Date   `json:"left,omitzero"`
	}
	was := kept{Anchor: schedule.Anchor{Date: date(t, "2027-02-28"), Day: 31}}
	text, err := json.Marshal(was)
	require.NoError(t, err)
	require.JSONEq(t, `{"anchor": {"date": "2027-02-28", "day": 31}, "start": ""}`, string(text))
	got := kept{Start: date(t, "2027-01-01")}
	require.NoError(t, json.Unmarshal(text, &got))
	require.Equal(t, was, got)

	require.Error(t, json.Unmarshal([]byte(`{"start": "2027-02-29"}`), &got))
	require.Equal(t, was, got)
	_, err = json.Marshal(date(t, "9999-12-31").AddDays(1))
	require.Error(t, err)
	_, err = json.Marshal(schedule.Date{Year: 2027, Month: 2, Day: 29})
	require.Error(t, err)
}
