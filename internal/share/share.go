// Package share divides workers among parties, so that none blocks another.
package share

// Workers is how many workers there are. No party has more of them than it leaves free, nor more than a quarter; an
// eighth is reserved for newcomers, the parties with nothing under way.
type Workers int

// Party reports whether a party may have one more than held workers; all is how many are busy in total. A
// newcomer gets one at once.
func (w Workers) Party(held, all int) bool {
	return held == 0 || w.fits(held, all) && held < max(1, int(w)/4) && all < int(w)-w.reserved()
}

// Place reports whether there may be one more worker at a place that parties share, such as a host. A newcomer may
// have one there as long as others leave the reserved ones.
func (w Workers) Place(held, all int, newcomer bool) bool {
	return w.fits(held, all) || newcomer && held < int(w)-w.reserved()
}

func (w Workers) fits(held, all int) bool { return held < int(w)-all }

func (w Workers) reserved() int { return int(w) / 8 }
