package sim

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway"
)

// Equal requests: of those that come within the window one is accepted (I1), and none is refused for
// another one that is not there (I2). Both go by the clocks of the instances: a request is dated by the
// one that serves it.

const window = 15 * time.Second

// aboutWindow is how long after a request the same one comes again: mostly short of the window.
func (c *clients) aboutWindow() time.Duration {
	rng := c.w.rng
	if rng.IntN(2) == 0 {
		return window + time.Duration(rng.IntN(16)-8)*tick
	}
	return between(rng, window-6*time.Second, window+2*time.Second)
}

func (a *auditor) accept(merchant, number string, at time.Time) {
	key := merchant + "/" + number
	known := a.accepted[key]
	if n := len(known); n > 0 && 2*a.w.swarm.skew >= window {
		known = known[n-1:] // clocks this far apart see past each other, and only the newest request is kept
	}
	for _, before := range known {
		a.check(at.Sub(before).Abs() >= window, "I1: order %s was accepted at %s and at %s", key, before, at)
	}
	a.accepted[key] = append(a.accepted[key], at)
}

// judgeDuplicate: a request that is refused as a duplicate has one that was accepted before.
func (c *clients) judgeDuplicate(key, number string, began time.Time, inst *instance, err error) {
	if !errors.Is(err, gateway.ErrDuplicate) {
		return
	}
	name := key[len("key-of-"):] + "/" + number
	for _, at := range c.w.auditor.accepted[name] {
		if at.After(began.Add(-window)) && at.Before(inst.now().Add(window)) {
			return
		}
	}
	c.w.fail("I2: order %s, asked for at %s, is refused as a duplicate of %s", name, began, c.w.auditor.accepted[name])
}
