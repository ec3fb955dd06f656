package engine

import "time"

// askAgain is how long recovery waits before the next question, by the number of questions so far; later on
// it asks daily.
var askAgain = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 24 * time.Hour}

// An acquirer's wish counts between these. A wrong one neither makes recovery ask at every tick nor hides a payment for
// years.
const (
	soonestWish = time.Second
	latestWish  = 30 * 24 * time.Hour
)

// again returns the time to the next question: the acquirer's wish, or the usual one without it.
func again(asked int, wish time.Duration) time.Duration {
	if wish > 0 {
		return min(max(wish, soonestWish), latestWish)
	}
	return askAgain[min(asked, len(askAgain)-1)]
}
