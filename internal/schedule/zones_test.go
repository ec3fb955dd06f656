package schedule_test

import (
	"archive/zip"
	"flag"
	"go/build"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/schedule"
)

var zones = flag.String("zones", "", "`all`: TestZones takes every zone of Go's zone database")

// TestZones holds the start of every civil day of 100 years against a search for it, in zones whose offsets
// change at midnight, by odd amounts, by rules that are seldom or across the date line. With the years from 1840
// and every zone of the database that Go comes with, it takes minutes:
//
//	go test ./internal/schedule -run TestZones -timeout 30m -zones=all
func TestZones(t *testing.T) {
	t.Parallel()
	if *zones == "all" {
		const wednesday = 3
		days := walk(1840, 260, wednesday)
		everyZone(t, func(name string, in *time.Location) { hold(t, name, in, days) })
		return
	}
	const monday, sunday = 1, 7
	days := walk(1945, 100, monday)
	if slowdown > 1 {
		days = walk(1984, 20, sunday)
	}
	for _, name := range []string{
		"Pacific/Apia", "America/Sao_Paulo", "Africa/Cairo", "Asia/Beirut", "Atlantic/Azores", "Australia/Lord_Howe",
		"America/Havana", "Antarctica/Troll", "Africa/Casablanca", "Europe/Dublin", "Asia/Gaza", "America/Asuncion",
		"Pacific/Kwajalein", "Asia/Manila", "America/St_Johns", "America/Scoresbysund", "Asia/Tehran", "Africa/Monrovia",
		"Asia/Kathmandu", "Pacific/Kiritimati", "America/Caracas", "Asia/Pyongyang", "Europe/Berlin", "America/New_York",
	} {
		hold(t, name, zone(t, name), days)
	}
}

// everyZone passes each zone of the database once, whatever number of names it has, unless its offset is fixed.
func everyZone(t *testing.T, take func(string, *time.Location)) {
	archive, err := zip.OpenReader(filepath.Join(build.Default.GOROOT, "lib", "time", "zoneinfo.zip"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, archive.Close()) })
	seen := map[uint32]bool{}
	for _, file := range archive.File {
		if file.FileInfo().IsDir() || seen[file.CRC32] {
			continue
		}
		seen[file.CRC32] = true
		r, err := file.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		in, err := time.LoadLocationFromTZData(file.Name, data)
		require.NoError(t, err, file.Name)
		if _, end := time.Unix(-1<<40, 0).In(in).ZoneBounds(); !end.IsZero() {
			take(file.Name, in)
		}
	}
	require.Greater(t, len(seen), 300)
}

// hold checks all days of a walk in a zone.
func hold(t *testing.T, name string, in *time.Location, days []walked) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		clock := newSearch(days[0].date, in)
		before := time.Time{} // start of the day before
		for _, day := range days {
			want, exists := clock.next(day.date)
			got := day.date.Start(in)
			shown := schedule.DateOf(got, in)
			switch {
			case !got.Equal(want):
				require.Failf(t, "other start", "%s: %s, want %s", day.date, got, want.In(in))
			case exists && shown != day.date || !exists && shown.Compare(day.date) <= 0:
				require.Failf(t, "other date", "%s: %s", day.date, got)
			case schedule.DateOf(got.Add(-1), in).Compare(day.date) >= 0:
				require.Failf(t, "reached before", "%s: %s", day.date, got)
			case !got.After(before):
				require.Failf(t, "not after the day before", "%s: %s", day.date, got)
			}
			if before = got; !exists { // the day after it has the same start
				before = got.Add(-1)
			}
		}
	})
}
