package sim

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
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

// judgeDuplicate: a request that is refused as a duplicate has one that was accepted less than the window
// before the moment by which it is dated.
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

// datedReader notes by proc when a request came to the store that asks for the window of an order. That is
// the moment by which it is dated: the kernel reads its clock just before, and no time passes between.
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

// keyWindow is what the keys of the duplicate windows begin with.
var keyWindow = store.Key("w")
