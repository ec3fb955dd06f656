package store

// How a card number is written beside other numbers: the rules that tell its groups from lists and days. They look
// at no more digits than a card number has.

// standsAlone reports groups that are written as one number: all that the run has, groups of three digits or
// more, or groups of one size, of which the first or the last may be cut short. A list of sizes is none, though
// it is groups of two, and two days are none.
func (run *digitRun) standsAlone(first, last int) bool {
	if run.isList(first, last) || run.isList(first+1, last) || run.isList(first, last-1) || run.isDays(first, last) {
		return false
	}
	whole := first == 0 && last == len(run.groups)-1
	return whole || run.isLong(first, last) || run.isRegular(first, last)
}

// isLong reports groups that have three digits or more each, as 4-6-5 has.
func (run *digitRun) isLong(first, last int) bool {
	for group := first; group <= last; group++ {
		if run.size(group) < 3 {
			return false
		}
	}
	return true
}

// isRegular reports groups of one size, two at least. The first may be shorter where one counts from the right, or
// the last where one counts from the left.
func (run *digitRun) isRegular(first, last int) bool {
	size, full, short := run.size(min(first+1, last)), 0, 0
	for group := first; group <= last; group++ {
		switch n := run.size(group); {
		case n == size:
			full++
		case n < size && (group == first || group == last):
			short++
		default:
			return false
		}
	}
	return full >= 2 && short <= 1
}

// maxStep is the most by which sizes in a list go up or down at once.
const maxStep = 10

// isList reports numbers of two digits that go up all the way, or down, in small steps: sizes, pages, days. Of card
// numbers in pairs one in thousands does for 12 digits, with one more at an end, and one in millions for 16.
func (run *digitRun) isList(first, last int) bool {
	up, down := last-first >= 4, last-first >= 4
	for group := first; group <= last && (up || down); group++ {
		if run.size(group) != 2 {
			return false
		}
		if group > first {
			step := run.pair(group) - run.pair(group-1)
			up, down = up && step > 0 && step <= maxStep, down && step < 0 && step >= -maxStep
		}
	}
	return up || down
}

// isDays reports two days with their years, the year first or last: 24.03.2027 - 26.03.2027.
func (run *digitRun) isDays(first, last int) bool {
	return last-first == 5 && run.isDay(first) && run.isDay(first+3)
}

func (run *digitRun) isDay(group int) bool {
	year, day := group, group+2
	if run.size(group) == 2 {
		year, day = day, year
	}
	if run.size(year) != 4 || run.size(group+1) != 2 || run.size(day) != 2 {
		return false
	}
	century := run.digits[run.groups[year]:][:2]
	return run.pair(day) <= 31 && run.pair(group+1) <= 31 && (string(century) == "19" || string(century) == "20")
}

// pair is the value of a group of two digits.
func (run *digitRun) pair(group int) int {
	at := run.groups[group]
	return 10*int(run.digits[at]-'0') + int(run.digits[at+1]-'0')
}
