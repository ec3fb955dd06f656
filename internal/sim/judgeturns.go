package sim

import (
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// queued is the outbox by its keys: the content of each lane, and what is parked.
type queued struct {
	lanes  map[string]map[string]int // by merchant and lane: callbacks
	parked map[string]bool           // merchant, or merchant and lane
	passed map[int]map[string]int    // by instance and merchant: callbacks of others taken while one of its own was ready
}

func newQueued() *queued {
	return &queued{lanes: map[string]map[string]int{}, parked: map[string]bool{}, passed: map[int]map[string]int{}}
}

// ready reports whether a merchant has a callback in a lane that is not parked.
func (q *queued) ready(merchant string) bool {
	if q.parked[merchant] {
		return false
	}
	for lane, n := range q.lanes[merchant] {
		if n > 0 && !q.parked[merchant+"/"+lane] {
			return true
		}
	}
	return false
}

// judgeQueue applies a change of the outbox, and judges what it parked.
func (a *auditor) judgeQueue(inst *instance, c change) {
	parts, err := store.SplitKey(c.key)
	if err != nil {
		return
	}
	switch {
	case parts[0] == "qcl" && len(parts) == 5:
		lanes := a.queued.lanes[parts[1]]
		if lanes == nil {
			lanes = map[string]int{}
			a.queued.lanes[parts[1]] = lanes
		}
		if there := parts[1] + "/" + parts[4] + parts[3]; (c.value != nil) != a.entries[there] {
			if a.entries[there] = c.value != nil; c.value != nil {
				lanes[parts[2]]++
			} else {
				lanes[parts[2]]--
			}
		}
	case parts[0] == "qcp" && len(parts) >= 4: // the block, its end, and what it parks
		a.queued.parked[strings.Join(parts[3:], "/")] = c.value != nil
		if c.value != nil {
			a.judgeParked(inst, parts[3:])
		}
	}
}

// judgeParked checks that a parked callback is blocked by its URL, its host or its merchant (C5).
func (a *auditor) judgeParked(inst *instance, parked []string) {
	now := inst.now()
	held := a.blocks.named("merchant "+parked[0], 20).blocked(now)
	if len(parked) > 1 {
		host, _, _ := strings.Cut(parked[1], "/")
		held = a.blocks.named("host "+host, 20).blocked(now)
		for _, c := range a.callbacks {
			held = held || c.Merchant == parked[0] && hostOf(c.URL) == host && a.blocks.of(c)[0].blocked(now)
		}
	}
	a.check(held, "C5: callbacks of %v are parked at %s, and nothing of theirs is blocked", parked, now)
}

// mostPassed is how many callbacks of others an instance may take while a merchant has one ready: one, by its
// turns; more if the store does not report that a claim was committed, or two workers claim at once.
const mostPassed = 12

// judgeTurns checks that merchants take turns (C7).
func (a *auditor) judgeTurns(inst *instance, b *batch) {
	taken := map[string]int{}
	for _, c := range b.callbacks {
		if c.was != nil && c.is.Tries > c.was.Tries {
			taken[c.is.Merchant]++
		}
	}
	if len(taken) == 0 {
		return
	}
	passed := a.queued.passed[inst.n]
	if passed == nil {
		passed = map[string]int{}
		a.queued.passed[inst.n] = passed
	}
	if slices.ContainsFunc(inst.workers, func(p *proc) bool { return p.paused }) {
		clear(passed) // it still holds what it took, which may be the share of a merchant
		return
	}
	for merchant := range a.queued.lanes {
		if taken[merchant] > 0 || !a.queued.ready(merchant) || a.holds(inst, merchant) {
			passed[merchant] = 0
			continue
		}
		for _, n := range taken {
			passed[merchant] += n
		}
		a.check(passed[merchant] <= mostPassed, "C7: %d callbacks of others are taken while %s has one ready",
			passed[merchant], merchant)
	}
}

// holds reports whether callbacks of a merchant are under way, which may be its share.
func (a *auditor) holds(inst *instance, merchant string) bool {
	now := inst.now()
	for _, c := range a.callbacks {
		if c.Merchant == merchant && c.State == "due" && c.Tries > len(c.Attempts) && c.Due.After(now.Add(-time.Minute)) {
			return true
		}
	}
	return false
}
