package sim

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// Equal requests: of those within the window one is accepted (I1), and none is refused without an earlier one (I2).
// Both go by the clocks of the instances: a request has the time of the instance that serves it.

const window = 15 * time.Second

// aboutWindow is how long after a request an equal one comes: mostly within the window.
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
		known = known[n-1:] // with clocks this far apart only the newest request counts
	}
	for _, before := range known {
		a.check(at.Sub(before).Abs() >= window, "I1: order %s was accepted at %s and at %s", key, before, at)
	}
	a.accepted[key] = append(a.accepted[key], at)
}

// judgeDuplicate checks that for a request refused as a duplicate another was accepted less than the window before
// its time.
func (c *clients) judgeDuplicate(ctx context.Context, key, number string, began time.Time, inst *instance, err error) {
	if !errors.Is(err, gateway.ErrDuplicate) {
		return
	}
	if dated, ok := c.w.auditor.dated[procOf(ctx).id]; ok {
		began = dated
	}
	name := key[len("key-of-"):] + "/" + number
	for _, at := range c.w.auditor.accepted[name] {
		if at.After(began.Add(-window)) && at.Before(inst.now().Add(window)) {
			return
		}
	}
	c.w.fail("I2: order %s, asked for at %s, is refused as a duplicate of %s", name, began, c.w.auditor.accepted[name])
}

// datedReader records, by proc, when a request reads the window of its order. That is the request's time: the
// kernel reads its clock just before, and no virtual time passes between.
type datedReader struct {
	store.Reader
	dated   map[int]time.Time
	proc    int
	entered time.Time
}

// Get implements store.Reader.
func (r datedReader) Get(key []byte) ([]byte, error) {
	if bytes.HasPrefix(key, keyWindow) {
		r.dated[r.proc] = r.entered
	}
	return r.Reader.Get(key)
}

// keyWindow is the prefix of the keys of duplicate windows.
var keyWindow = store.Key("w")
