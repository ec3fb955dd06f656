package race_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// meeting is one race. Its racers start together and wait for each other at their first step, and once more at a
// later step, which differs in each trial and for each racer; so over the trials the middle of one meets every part
// of the other. A step is a call of the store, or another call that takes part by point. A racer that ends early is
// not waited for, and no racer waits for ever, because it may hold what another one needs.
type meeting struct {
	racers []*racer
	gates  [2]gate
}

// racer is a participant of a meeting.
type racer struct {
	meeting *meeting
	again   int // the step before which it waits for the second time

	mu          sync.Mutex
	who         int // the instance where it began
	steps       int
	first, last int64 // moments before its first step and after its last one
	come        [2]bool
}

// gate opens when all racers have arrived.
type gate struct {
	missing atomic.Int64
	open    chan struct{}
}

// moments numbers the events of all races.
var moments atomic.Int64

const (
	deep      = 8  // most operations have fewer steps
	deepest   = 32 // even the work of a Tick rarely has more
	againWait = 50 * time.Millisecond
	firstWait = time.Minute // for a racer that does not even begin, on a busy machine
)

func newMeeting(n, round int) *meeting {
	m := &meeting{}
	for i := range m.gates {
		m.gates[i].open = make(chan struct{})
		m.gates[i].missing.Store(int64(n))
	}
	random := rand.New(rand.NewPCG(uint64(round), uint64(n)))
	for range n {
		step := 2 + random.IntN([]int{deep, deepest}[random.IntN(2)]-1)
		m.racers = append(m.racers, &racer{meeting: m, again: step})
	}
	return m
}

// atOnce reports whether there was a moment at which every racer had begun and none had ended, on at least two
// instances.
func (m *meeting) atOnce() bool {
	var begun, ended int64
	who := map[int]bool{}
	for i, r := range m.racers {
		if begun = max(begun, r.first); i == 0 || r.last < ended {
			ended = r.last
		}
		if r.first == 0 {
			return false
		}
		who[r.who] = true
	}
	return begun < ended && len(who) > 1
}

// arrive reports a racer at a gate, once.
func (r *racer) arrive(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.come[i] {
		r.come[i] = true
		if g := &r.meeting.gates[i]; g.missing.Add(-1) == 0 {
			close(g.open)
		}
	}
}

func (r *racer) wait(i int, atMost time.Duration) {
	r.arrive(i)
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-r.meeting.gates[i].open:
	case <-timer.C:
	}
}

// begin runs before each step, and the function it returns runs after it and yields to the others.
func (r *racer) begin(who int) (end func()) {
	r.mu.Lock()
	r.steps++
	step := r.steps
	if step == 1 {
		r.who, r.first = who, moments.Add(1)
	}
	r.mu.Unlock()
	switch step {
	case 1:
		r.wait(0, firstWait)
	case r.again:
		r.wait(1, againWait)
	}
	return func() {
		r.mu.Lock()
		r.last = moments.Add(1)
		r.mu.Unlock()
		runtime.Gosched()
	}
}

// end runs when a racer has nothing left to do.
func (r *racer) end() {
	r.arrive(0)
	r.arrive(1)
}

// seat holds the racer of a context; empty until a hanging call is resumed.
type seat struct{ racer atomic.Pointer[racer] }

type seatKey struct{}

// seated returns a context for a racer, or for one that takes its seat later.
func seated(r *racer) (context.Context, *seat) {
	s := &seat{}
	s.racer.Store(r)
	return context.WithValue(context.Background(), seatKey{}, s), s
}

func racerOf(ctx context.Context) *racer {
	if s, ok := ctx.Value(seatKey{}).(*seat); ok {
		return s.racer.Load()
	}
	return nil
}

// point is a step of a racer that is no call of the store.
func point(ctx context.Context, who int) (end func()) {
	if r := racerOf(ctx); r != nil {
		return r.begin(who)
	}
	return func() {}
}

// met is a store as one instance sees it: each call is a step of a racer.
type met struct {
	store.Store
	who int
}

func (m *met) View(ctx context.Context, fn func(store.Reader) error) error {
	defer point(ctx, m.who)()
	return m.Store.View(ctx, fn)
}

func (m *met) Update(ctx context.Context, fn func(store.Tx) error) error {
	defer point(ctx, m.who)()
	return m.Store.Update(ctx, fn)
}
