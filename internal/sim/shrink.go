package sim

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Shrinking (reliability.md, 3.9): a failing world is run again without one thing after another, as long as it
// fails the same way. What is left is what matters.

// cut removes one thing that a seed drew.
type cut struct {
	name  string
	apply func(*swarm)
}

// cuts lists everything a world can do without: further instances, a kind of fault, an action.
func cuts() []cut {
	list := []cut{
		{"instances", func(s *swarm) { s.instances = 1 }},
		{"workers", func(s *swarm) { s.workers = 1 }},
		{"burst", func(s *swarm) { s.burst = false }},
		{"hot", func(s *swarm) { s.hot = false }},
		{"cascade", func(s *swarm) { s.cascade = false }},
		{"declines", func(s *swarm) { s.decline = 0 }},
		{"pending", func(s *swarm) { s.pending = 0 }},
		{"away", func(s *swarm) { s.away, s.back.away = 0, 0 }},
		{"zone", func(s *swarm) { s.zone, s.dayEnd = "", "" }},
		{plainReturns, (*swarm).returnPlainly},
		{"steps", func(s *swarm) { s.back.steps = 0 }},
		{"later", func(s *swarm) { s.back.later = 0 }},
		{"shows", func(s *swarm) { s.back.shows = 0 }},
		{"bare", func(s *swarm) { s.back.bare = false }},
	}
	for f := range lastFault {
		list = append(list, cut{f.String(), func(s *swarm) { s.odds[f] = 0 }})
	}
	for a := range lastAction {
		list = append(list, cut{"action:" + a.String(), func(s *swarm) { s.mix[a] = 0 }})
	}
	return list
}

// plainReturns is what worlds do without whose payers bring one return, by which the acquirer decides at once.
const plainReturns = "returns"

// ownClocks is what worlds do without whose store has a clock.
const ownClocks = "own-clocks"

// takeStoreClock lets all instances take the clock of the store. The clocks of their machines are hours apart then, and
// mean nothing.
func takeStoreClock(s *swarm) { s.oneClock, s.skew, s.odds[clockSkew] = true, knownWithin, 1 }

// trueRuns is what worlds do without whose store runs functions over what it remembers first, and again over what is
// there if that was another.
const trueRuns = "true-runs"

// remember lets the store remember.
func remember(s *swarm) { s.stale = 0.3 }

// without removes the named things. An unknown name is a fault of the caller.
func (s *swarm) without(names []string) {
	if len(names) == 0 {
		return
	}
	list := cuts()
	for _, name := range names {
		switch name {
		case ownClocks:
			takeStoreClock(s)
			continue
		case trueRuns:
			remember(s)
			continue
		}
		i := slices.IndexFunc(list, func(c cut) bool { return c.name == name })
		if i < 0 {
			panic("sim: no world has " + name)
		}
		list[i].apply(s)
	}
}

// drawn returns the names of what a seed drew and its world can do without.
func drawn(seed uint64) (names []string) {
	for _, c := range cuts() {
		whole := swarmOf(seed, random(seed))
		less := whole
		if c.apply(&less); !reflect.DeepEqual(whole, less) {
			names = append(names, c.name)
		}
	}
	return names
}

// reduce finds things that can be left out together while fails is still true: all, then halves, down to single
// things. It calls fails at most runs times.
func reduce(things []string, runs int, fails func(without []string) bool) (without []string) {
	var try func(part []string)
	try = func(part []string) {
		if len(part) == 0 || runs == 0 {
			return
		}
		runs--
		if more := slices.Concat(without, part); fails(more) {
			without = more
			return
		}
		if half := len(part) / 2; half > 0 {
			try(part[:half])
			try(part[half:])
		}
	}
	try(things)
	return without
}

// kindOf returns what violations of one kind have in common: the invariant's name, or the text without numbers and
// names.
func kindOf(violation string) string {
	before, _, ok := strings.Cut(violation, ":")
	if ok && len(before) <= 3 && strings.IndexFunc(before, unicode.IsDigit) > 0 {
		return before
	}
	words := slices.DeleteFunc(strings.Fields(violation),
		func(word string) bool { return strings.IndexFunc(word, unicode.IsDigit) >= 0 })
	return strings.Join(words, " ")
}

// shows reports whether a report has a violation of a kind.
func (r Report) shows(kind string) bool {
	return slices.ContainsFunc(r.Violations, func(v string) bool { return kindOf(v) == kind })
}
