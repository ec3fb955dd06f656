package store

// The rules that tell the groups of a card number from lists and dates beside it. They look at no more digits than
// a card number has.

// standsAlone reports whether groups are written as one number. They are when the run has no others, when each has
// three digits or more, or when all have one size and only the first or the last is shorter. A list of sizes is
// not one number, though it has groups of two digits, and two dates are not.
func (run *digitRun) standsAlone(first, last int) bool {
	if run.isList(first, last) || run.isList(first+1, last) || run.isList(first, last-1) || run.isDays(first, last) {
		return false
	}
	whole := first == 0 && last == len(run.groups)-1
	return whole || run.isLong(first, last) || run.isRegular(first, last)
}

// isLong reports whether each group has three digits or more, as in 4-6-5.
func (run *digitRun) isLong(first, last int) bool {
	for group := first; group <= last; group++ {
		if run.size(group) < 3 {
			return false
		}
	}
	return true
}

// isRegular reports whether two groups or more have one size. The first may be shorter in numbers grouped from the
// right, the last in numbers grouped from the left.
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

// maxStep is the greatest step between neighbours in a list of sizes.
const maxStep = 10

// isList reports whether numbers of two digits only rise, or only fall, in small steps, as sizes, pages and days
// do. One in thousands of the card numbers of 12 digits written in pairs does the same, with one more at an end,
// and one in millions of 16 digits.
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

// isDays reports whether groups are two dates, the year first or last: 24.03.2027 - 26.03.2027.
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

// pair returns the value of a group of two digits.
func (run *digitRun) pair(group int) int {
	at := run.groups[group]
	return 10*int(run.digits[at]-'0') + int(run.digits[at+1]-'0')
}
