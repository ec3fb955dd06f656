// Package share divides workers among the parties that they work for, so that none holds up another.
package share

// Workers is how many workers there are. No party holds more of them than it leaves free, nor more than a quarter;
// an eighth is kept for newcomers, the parties with nothing under way.
type Workers int

// Party reports whether a party that holds some workers may have one more, where all is how many are busy. A newcomer
// gets one at once.
func (w Workers) Party(held, all int) bool {
	return held == 0 || w.fits(held, all) && held < max(1, int(w)/4) && all < int(w)-w.kept()
}

// Place reports whether there may be one more at a place that parties share, a host say. A newcomer may have one
// there as long as others leave what is kept.
func (w Workers) Place(held, all int, newcomer bool) bool {
	return w.fits(held, all) || newcomer && held < int(w)-w.kept()
}

func (w Workers) fits(held, all int) bool { return held < int(w)-all }

func (w Workers) kept() int { return int(w) / 8 }
