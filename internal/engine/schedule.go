package engine

import "time"

// askAgain is how long recovery waits before the next question, by the number of questions so far; later on
// it asks daily.
var askAgain = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 24 * time.Hour}

func again(asked int, wish time.Duration) time.Duration {
	if wish > 0 {
		return wish
	}
	return askAgain[min(asked, len(askAgain)-1)]
}
