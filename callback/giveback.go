package callback

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// The pause that GiveBack makes: the first one, and the longest.
const (
	firstPause = Lease / 4
	MaxPause   = 5 * time.Minute // the longest, however often a callback is given back
)

// GiveBack undoes the try of a claim that could not be delivered for a reason on our side. The callback is due
// again after a pause, which doubles each time in a row. A callback that has moved on meanwhile is not changed.
func GiveBack(tx store.Tx, claimed *store.CallbackRecord, now time.Time) error {
	c, err := callbacks.Get(tx, claimed.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil || c.State != store.CallbackDue || c.Tries != claimed.Tries || !c.Due.Equal(claimed.Due) {
		return err
	}
	c.Tries--
	c.GivenBack++
	return put(tx, c, now.Add(pauseOf(c.GivenBack)), now)
}

// pauseOf doubles with each time in a row.
func pauseOf(times int) time.Duration {
	pause := firstPause
	for ; times > 1 && pause < MaxPause; times-- {
		pause *= 2
	}
	return min(pause, MaxPause)
}
