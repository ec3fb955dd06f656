package sim

// Linearizability (S7): overlapping calls must look as if each had happened at one moment between its beginning and
// its end. The search is that of Wing and Gong, "Testing and Verifying Concurrent Objects", with a cache of visited
// states as Lowe proposes.

// call is one call of a history. Its moments are positions in the order of all beginnings and ends. done is zero if
// its outcome is unknown: it may have happened at any moment after its beginning, or never.
type call[O comparable] struct {
	op          O
	began, done int
}

// history is what callers did with one object, as they saw it. It is not safe for concurrent use: the scheduler
// runs one goroutine at a time.
type history[O comparable] struct {
	clock int
	calls []*call[O]
	full  bool // there were more calls than are kept, so these cannot be explained any more
}

// maxCalls bounds a history.
const maxCalls = 40

// invoke adds the beginning of a call, as it is if no answer ever comes.
func (h *history[O]) invoke(op O) *call[O] {
	h.clock++
	c := &call[O]{op: op, began: h.clock}
	if h.full = h.full || len(h.calls) == maxCalls; !h.full {
		h.calls = append(h.calls, c)
	}
	return c
}

// respond adds the end of a call, with its result.
func (h *history[O]) respond(c *call[O], op O) {
	h.clock++
	c.op, c.done = op, h.clock
}

// drop removes a call that had no effect and reveals nothing about the object.
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

// place is a state of a search: which calls have happened, and the object's state.
type place[S comparable] struct {
	happened uint64
	state    S
}

// search looks for an order of calls that a model of the object allows: apply returns the state after a call, and
// whether the call can end like that.
type search[S, O comparable] struct {
	calls []*call[O]
	apply func(S, O) (S, bool)
	seen  map[place[S]]bool
}

// linearizable reports whether calls, 64 at most, can have happened in some order on an object that was in the
// state start. A search that grows too large returns true.
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
		return true // a call without an answer may not have happened
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

// firstEnd returns when the first call ends that has not happened yet; zero if none has ended. A call that begins
// later cannot happen before it.
func (s *search[S, O]) firstEnd(happened uint64) (first int) {
	for i, c := range s.calls {
		if happened&(1<<i) == 0 && c.done > 0 && (first == 0 || c.done < first) {
			first = c.done
		}
	}
	return first
}

// hasTwin reports whether there is an equal earlier call without an answer: trying one of them is enough.
func (s *search[S, O]) hasTwin(happened uint64, i int) bool {
	for j, c := range s.calls[:i] {
		if happened&(1<<j) == 0 && c.done == 0 && s.calls[i].done == 0 && c.op == s.calls[i].op {
			return true
		}
	}
	return false
}
