package sim

import (
	"strconv"
	"strings"
	"time"
)

// calendar is the financial day of the MIDs of a world, as a merchant reads it (lifecycle.md): it ends at a
// configured local time, or at midnight.
type calendar struct {
	zone *time.Location
	end  time.Duration // after midnight; zero: at midnight
}

func (s *swarm) calendar() calendar {
	c := calendar{zone: time.UTC}
	if s.zone != "" {
		c.zone, _ = time.LoadLocation(s.zone)
	}
	if hours, minutes, ok := strings.Cut(s.dayEnd, ":"); ok {
		h, _ := strconv.Atoi(hours)
		m, _ := strconv.Atoi(minutes)
		c.end = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	}
	return c
}

// day names the financial day of a moment by the date on which it ends: the local time is moved forward by the rest
// of the calendar day after the financial day's end.
func (c calendar) day(at time.Time) string { return c.wall(at).Format(time.DateOnly) }

func (c calendar) wall(at time.Time) time.Time {
	local := at.In(c.zone)
	wall := time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(),
		local.Nanosecond(), time.UTC)
	if c.end > 0 {
		wall = wall.Add(24*time.Hour - c.end)
	}
	return wall
}

// same reports whether two moments are on one financial day.
func (c calendar) same(a, b time.Time) bool { return c.day(a) == c.day(b) }

// close is about when the financial day of a moment ends.
func (c calendar) close(at time.Time) time.Time {
	wall := c.wall(at)
	return at.Add(wall.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(wall))
}
