package engine

import "time"

// askAgain is how long recovery waits before it asks again, by how often it has asked; later on, daily.
var askAgain = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 24 * time.Hour}

func again(asked int, wish time.Duration) time.Duration {
	if wish > 0 {
		return wish
	}
	return askAgain[min(asked, len(askAgain)-1)]
}
