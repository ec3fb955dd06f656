package schedule

import "time"

// farthest is more than any zone is away from UTC; zone files cannot say more than 26 hours.
const farthest = 48 * time.Hour

// Start returns the first instant at which the date is reached in a zone, which must not be nil; the result is in
// that zone. It need not be midnight, and not every day exists:
//
//   - When clocks go forward over midnight, the day begins with the first time they show: 01:00 on 2018-11-04 in
//     America/Sao_Paulo.
//   - When they go back and show midnight twice, the day begins at the first of the two, though for a while it may
//     be the day before once more: 2010-11-07 in America/St_Johns, where they went back at 00:01.
//   - A day that a zone skips, such as 2011-12-30 in Pacific/Apia, has the start of the day after it.
//
// So Start grows from day to day and never falls. [time.Date] does not help: it promises neither side of a gap or
// of an overlap. [time.Time.ZoneBounds] cannot be trusted with the end: in the years for which a zone has only a
// rule (most from 2038) it takes the last day of a leap year to be over before it begins. No clock changes on that
// day, so it is searched by the hour.
func (d Date) Start(zone *time.Location) time.Time {
	midnight := d.midnight()
	for at := midnight.Add(-farthest); ; {
		local := at.In(zone)
		begin, end := local.ZoneBounds() // zero where there is no bound
		if !end.IsZero() && !end.After(at) {
			end = at.Add(time.Hour)
		}
		_, offset := local.Zone()
		start := midnight.Add(-time.Duration(offset) * time.Second)
		if !begin.IsZero() && start.Before(begin) { // the zone came to this offset when the date was reached already
			start = begin
		}
		if end.IsZero() || start.Before(end) {
			return start.In(zone)
		}
		at = end
	}
}
