package callback

import (
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func TestNext(t *testing.T) {
	t.Parallel()
	short := Schedule{time.Second, time.Minute}
	cases := []struct {
		name       string
		schedule   Schedule
		attempt    int
		retryAfter time.Duration
		wait       time.Duration
		ok         bool
	}{
		{"first", nil, 1, 0, 5 * time.Second, true},
		{"second", nil, 2, 0, time.Minute, true},
		{"sixth", nil, 6, 0, 5 * time.Hour, true},
		{"last", nil, 12, 0, 10 * time.Hour, true},
		{"dead", nil, 13, 0, 0, false},
		{"before the first", nil, 0, 0, 5 * time.Second, true},
		{"negative", nil, math.MinInt, 0, 5 * time.Second, true},
		{"far too many", nil, math.MaxInt, 0, 0, false},
		{"own", short, 2, 0, time.Minute, true},
		{"own, dead", short, 3, 0, 0, false},
		{"single attempt", Schedule{}, 1, 0, 0, false},
		{"single attempt, before", Schedule{}, 0, 0, 0, false},
		{"merchant asks for more", short, 1, time.Hour, time.Hour, true},
		{"merchant asks for less", short, 2, time.Second, time.Minute, true},
		{"merchant asks for too much", short, 1, math.MaxInt64, MaxRetryAfter, true},
		{"asking does not revive", short, 3, time.Hour, 0, false},
		{"negative asked", short, 1, -time.Hour, time.Second, true},
		{"negative step", Schedule{-time.Hour}, 1, 0, 0, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			at, ok := c.schedule.Next(c.attempt, noon, c.retryAfter)
			require.Equal(t, c.ok, ok)
			if ok {
				require.Equal(t, noon.Add(c.wait), at)
			} else {
				require.True(t, at.IsZero())
			}
		})
	}
}

func TestDefaultScheduleLastsAboutThreeDays(t *testing.T) {
	t.Parallel()
	at, attempts := noon, 1
	for {
		next, ok := Schedule(nil).Next(attempts, at, 0)
		if !ok {
			break
		}
		require.True(t, next.After(at))
		at, attempts = next, attempts+1
	}
	require.Equal(t, 13, attempts)
	require.Equal(t, 67*time.Hour+36*time.Minute+5*time.Second, at.Sub(noon))
}

func TestParseRetryAfter(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, value string
		want        time.Duration
	}{
		{"none", "", 0},
		{"blank", "  ", 0},
		{"seconds", "120", 2 * time.Minute},
		{"spaces around", " 120\t", 2 * time.Minute},
		{"leading zeros", "000120", 2 * time.Minute},
		{"zero", "0", 0},
		{"cap", "36000", 10 * time.Hour},
		{"over the cap", "36001", 10 * time.Hour},
		{"billion", "1000000000", 10 * time.Hour},
		{"overflows a duration", "18446744073709551", 10 * time.Hour},
		{"overflows 64 bits", "99999999999999999999999", 10 * time.Hour},
		{"negative", "-1", 0},
		{"plus", "+1", 0},
		{"exponent", "1e9", 0},
		{"fraction", "1.5", 0},
		{"other digits", "\u0661\u0662", 0},
		{"words", "yesterday", 0},
		{"date", noon.Add(time.Hour).Format(http.TimeFormat), time.Hour},
		{"date now", noon.Format(http.TimeFormat), 0},
		{"date past", noon.Add(-time.Hour).Format(http.TimeFormat), 0},
		{"date far", "Fri, 31 Dec 9999 23:59:59 GMT", 10 * time.Hour},
		{"old date form", "Friday, 02-Jan-26 12:00:30 GMT", 30 * time.Second},
		{"bad date", "Fri, 32 Jan 2026 12:00:00 GMT", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, ParseRetryAfter(c.value, noon, MaxRetryAfter))
		})
	}
	require.Zero(t, ParseRetryAfter("10", noon, 0))
	require.Zero(t, ParseRetryAfter("10", noon, -time.Hour))
}

func FuzzParseRetryAfter(f *testing.F) {
	for _, value := range []string{"", "0", "1", "36000", "-1", "1e9", "99999999999999999999",
		"Fri, 02 Jan 2026 12:00:30 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT"} {
		f.Add(value, int64(MaxRetryAfter), noon.Unix())
		f.Add(value, int64(math.MaxInt64), int64(0))
	}
	f.Fuzz(func(t *testing.T, value string, limit, now int64) {
		got := ParseRetryAfter(value, time.Unix(now, 0), time.Duration(limit))
		require.GreaterOrEqual(t, got, time.Duration(0))
		require.LessOrEqual(t, got, time.Duration(max(limit, 0)))
	})
}
