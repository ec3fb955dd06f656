// Package schedule is the arithmetic of recurring schedules (s2s_card.md, "Schedules"): on which civil date the
// n-th payment of a chain is due, and at which instant such a date begins in a zone.
//
// A chain keeps an [Anchor], made once by [First], and every date is counted from it directly:
//
//	anchor := schedule.First(s, schedule.DateOf(paid, zone), start)
//	due := anchor.At(s, n).Start(zone)
//
// No date is ever counted from the date before. That would lose the 31st in the first short month and never
// get it back: 31 January, 28 February, 28 March. Counted from the anchor, the 31st is wished for in every month
// and only that month's own length cuts it: 31 January, 28 February, 31 March.
//
// All of it is for schedules within the limits that the kernel checks when it stores one; it has no clock and
// stores nothing.
package schedule
