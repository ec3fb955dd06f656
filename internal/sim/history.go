package sim

// Linearizability (S7): calls that overlap have to look as if each had happened at one moment between its
// beginning and its end. The search is that of Wing and Gong, "Testing and Verifying Concurrent Objects",
// with what it has visited kept, as Lowe proposes.

// call is one call of a history. Its moments are places in the order of all beginnings and ends; done is
// zero where nobody knows what came of the call: it may have happened at any moment after its beginning,
// or never.
type call[O comparable] struct {
	op          O
	began, done int
}

// history is what callers did with one object, as they saw it. Nothing in it is for concurrent use: the
// scheduler lets one goroutine go at a time.
type history[O comparable] struct {
	clock int
	calls []*call[O]
	full  bool // more calls were made than are kept; what came of these does not explain itself any more
}

// maxCalls bounds a history.
const maxCalls = 40

// invoke enters the beginning of a call, as it is should no answer ever come.
func (h *history[O]) invoke(op O) *call[O] {
	h.clock++
	c := &call[O]{op: op, began: h.clock}
	if h.full = h.full || len(h.calls) == maxCalls; !h.full {
		h.calls = append(h.calls, c)
	}
	return c
}

// respond enters the end of a call, with what came of it.
func (h *history[O]) respond(c *call[O], op O) {
	h.clock++
	c.op, c.done = op, h.clock
}

// drop takes out a call that had no effect and tells nothing about the object.
func (h *history[O]) drop(c *call[O]) {
	for i, other := range h.calls {
		if other == c {
			h.calls = append(h.calls[:i:i], h.calls[i+1:]...)
			return
		}
	}
}

// maxVisits bounds a search.
const maxVisits = 50_000

// place is where a search was: what has happened, and what the object is then.
type place[S comparable] struct {
	happened uint64
	state    S
}

// search looks for an order of calls that a model of the object allows: apply is the state after a call,
// and whether a call can end like that.
type search[S, O comparable] struct {
	calls []*call[O]
	apply func(S, O) (S, bool)
	seen  map[place[S]]bool
}

// linearizable reports whether calls, 64 at most, can have happened in some order on an object that was
// in the state start. A search that grows too large ends with true.
func linearizable[S, O comparable](start S, calls []*call[O], apply func(S, O) (S, bool)) bool {
	s := &search[S, O]{calls, apply, map[place[S]]bool{}}
	return s.from(place[S]{0, start})
}

func (s *search[S, O]) from(at place[S]) bool {
	if s.seen[at] {
		return false
	}
	if s.seen[at] = true; len(s.seen) > maxVisits {
		return true
	}
	first := s.firstEnd(at.happened)
	if first == 0 {
		return true // who has no answer need not have happened
	}
	for i, c := range s.calls {
		if at.happened&(1<<i) != 0 || c.began > first || s.hasTwin(at.happened, i) {
			continue
		}
		state, ok := s.apply(at.state, c.op)
		if ok && s.from(place[S]{at.happened | 1<<i, state}) {
			return true
		}
	}
	return false
}

// firstEnd is when the first of the calls ends that have not happened yet; zero when none is known to.
// What begins after it cannot happen before it.
func (s *search[S, O]) firstEnd(happened uint64) (first int) {
	for i, c := range s.calls {
		if happened&(1<<i) == 0 && c.done > 0 && (first == 0 || c.done < first) {
			first = c.done
		}
	}
	return first
}

// hasTwin reports an earlier call without an answer that is the same as this one: either may happen in
// the place of the other, so that one of them is enough to try.
func (s *search[S, O]) hasTwin(happened uint64, i int) bool {
	for j, c := range s.calls[:i] {
		if happened&(1<<j) == 0 && c.done == 0 && s.calls[i].done == 0 && c.op == s.calls[i].op {
			return true
		}
	}
	return false
}
