package race_test

import (
	"fmt"
	"sync"
	"testing"
)

// tried is the counts of some trials.
type tried struct {
	ways   int // in which they met
	trials int // that began
	met    int // in which all racers ran at the same time
	right  int // without a fault
}

func (a tried) plus(b tried) tried {
	return tried{a.ways + b.ways, a.trials + b.trials, a.met + b.met, a.right + b.right}
}

// tally counts trials by pair and store.
type tally struct {
	mu sync.Mutex
	by map[[2]string]tried
}

func (c *tally) add(pair, backend string, n tried) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := [2]string{pair, backend}
	c.by[key] = c.by[key].plus(n)
}

// print prints the lines for a table of figures: one for each pair, in the order of the list, and one for each
// store over the pairs of the list.
func (c *tally) print(t testing.TB) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, pair := range pairs {
		c.printPair(t, fmt.Sprintf("%d. %s", i+1, pair.name), pair)
	}
	for _, pair := range morePairs {
		c.printPair(t, "not on the list: "+pair.name, pair)
	}
	for _, backend := range backends {
		var sum tried
		played := 0
		for _, pair := range pairs {
			n := c.by[[2]string{pair.name, backend.name}]
			played, sum = played+min(1, n.trials), sum.plus(n)
		}
		if played > 0 {
			t.Logf("races: store=%s pairs=%d ways=%d trials=%d at_once=%d violations=%d",
				backend.name, played, sum.ways, sum.trials, sum.met, sum.trials-sum.right)
		}
	}
}

func (c *tally) printPair(t testing.TB, title string, p pair) {
	var sum tried
	line := fmt.Sprintf("races: pair=%q", title)
	for _, backend := range backends {
		n := c.by[[2]string{p.name, backend.name}]
		sum = sum.plus(n)
		line += fmt.Sprintf(" trials_on_%s=%d", backend.name, n.trials)
	}
	if sum.trials > 0 {
		t.Logf("%s at_once=%d violations=%d", line, sum.met, sum.trials-sum.right)
	}
}
