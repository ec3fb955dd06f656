package callback

import "github.com/tollgatepay/gateway/store"

// kept are the empty lanes that keep their turns. A URL that gets many callbacks has none in its lane at most moments,
// and would lose its mark at every look. Those who queue the next callbacks would write it again, all at once, and all
// but one of them would have to run again.
type kept struct {
	of    map[store.Spot]int // how often each was empty
	looks int                // since all were forgotten
}

// The most lanes that are kept, how often one of them may be empty, and after how many looks all are forgotten, since
// another instance may have closed them.
const (
	maxKept   = 64
	keptEmpty = 10
	keptLooks = 4 * keptEmpty
)

// look begins a look.
func (k *kept) look() {
	if k.looks++; k.looks > keptLooks {
		clear(k.of)
		k.looks = 0
	}
}

// keep reports whether a lane that is empty is kept, and counts that.
func (k *kept) keep(s store.Spot) bool {
	times, known := k.of[s]
	switch {
	case !known && len(k.of) >= maxKept:
		return false
	case times+1 >= keptEmpty:
		delete(k.of, s)
		return false
	}
	k.of[s] = times + 1
	return true
}
