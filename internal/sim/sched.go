package sim

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing/synctest"
	"time"
)

// tick is the virtual time between two steps. No two steps happen at one instant, so no two timers of the kernel
// fire at one instant either.
const tick = time.Microsecond

// proc is a thread of work: a request, a worker of an instance, a payer's visit. Goroutines that the kernel starts
// for it find it in their context.
type proc struct {
	id       int
	inst     *instance // nil for the world outside
	priority float64
	started  int  // step
	payments int  // that it has stored
	paused   bool // a worker: in this round the store has kept it for longer than any lease
}

type procKey struct{}

func procOf(ctx context.Context) *proc {
	p, ok := ctx.Value(procKey{}).(*proc)
	if !ok {
		panic("sim: a port was called with a context without a proc")
	}
	return p
}

// waiter is a goroutine stopped at a point.
type waiter struct {
	proc *proc
	at   point
	due  time.Time
	wake chan bool // false: its instance is dead
}

// step stops the caller at a point until the scheduler resumes it. A caller whose instance has died unwinds.
func (w *World) step(ctx context.Context, at point) { w.pause(ctx, at, 0) }

// pause is step, at the earliest after d.
func (w *World) pause(ctx context.Context, at point, d time.Duration) {
	w.queue(procOf(ctx), at, d).halt()
}

// queue adds a waiter; one of a dead instance unwinds.
func (w *World) queue(p *proc, at point, d time.Duration) *waiter {
	me := &waiter{proc: p, at: at, due: time.Now().Add(d), wake: make(chan bool)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over || p.inst != nil && p.inst.dead {
		runtime.Goexit()
	}
	w.waiting = append(w.waiting, me)
	select {
	case w.stir <- struct{}{}:
	default:
	}
	return me
}

// halt stops the goroutine until its waiter is resumed.
func (me *waiter) halt() {
	if !<-me.wake {
		runtime.Goexit()
	}
}

// spawn starts a proc, which stops before it does anything. It is queued here and not by its goroutine, so that
// procs spawned together keep their order.
func (w *World) spawn(inst *instance, after time.Duration, run func(ctx context.Context)) {
	w.procs++
	p := &proc{id: w.procs, inst: inst, priority: fraction(w.rng), started: w.steps}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), procKey{}, p))
	me := w.queue(p, atStart, after)
	w.live.Add(1)
	if inst != nil {
		inst.cancels = append(inst.cancels, cancel)
	}
	go func() {
		defer w.live.Add(-1)
		defer cancel()
		me.halt()
		run(ctx)
	}()
}

// advance resumes one waiter, and moves time if none is ready. It returns false when there was nothing left to wait
// for before the given instant. Before and after it every other goroutine is blocked.
func (w *World) advance(end time.Time) bool {
	for {
		select {
		case <-w.stir:
		default:
		}
		now := time.Now()
		me, next := w.choose(now)
		if me != nil {
			w.steps++
			w.trace(me, now)
			me.wake <- true
			settle()
			return true
		}
		if next.IsZero() || next.After(end) {
			next = end
		}
		if !next.After(now) {
			return false
		}
		timer := time.NewTimer(next.Sub(now))
		select {
		case <-timer.C:
		case <-w.stir:
		}
		timer.Stop()
		w.jumps++
		settle()
	}
}

// settle waits until all other goroutines are blocked, and moves time on. The second wait ends at once: it shows
// the race detector that their work has happened.
func settle() {
	time.Sleep(tick)
	synctest.Wait()
}

// choose returns a waiter that is ready, by the policy of the seed, or when the next one will be.
func (w *World) choose(now time.Time) (me *waiter, next time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ready := w.ready[:0]
	for i, other := range w.waiting {
		switch {
		case !other.due.After(now):
			ready = append(ready, i)
		case next.IsZero() || other.due.Before(next):
			next = other.due
		}
	}
	w.ready = ready
	if len(ready) == 0 {
		return nil, next
	}
	i := w.pick(ready)
	me = w.waiting[i]
	w.waiting = slices.Delete(w.waiting, i, i+1)
	return me, next
}

// policy is how the scheduler chooses.
type policy int

const (
	uniform    policy = iota
	priorities        // the highest one runs, until a change point lowers it
	inOrder
)

func (w *World) pick(ready []int) int {
	switch w.swarm.policy {
	case inOrder:
		return ready[0]
	case priorities:
		best := ready[0]
		for _, i := range ready[1:] {
			if w.waiting[i].proc.priority > w.waiting[best].proc.priority {
				best = i
			}
		}
		if w.rng.IntN(24) == 0 {
			w.waiting[best].proc.priority = fraction(w.rng) * w.waiting[best].proc.priority
		}
		return best
	default:
		return ready[w.rng.IntN(len(ready))]
	}
}

// kill ends an instance at once: goroutines that wait in it unwind; those in the kernel's own timers unwind at
// their next port call.
func (w *World) kill(inst *instance) {
	w.mu.Lock()
	inst.dead = true
	var gone []*waiter
	w.waiting = slices.DeleteFunc(w.waiting, func(other *waiter) bool {
		if other.proc.inst == inst {
			gone = append(gone, other)
			return true
		}
		return false
	})
	w.mu.Unlock()
	for _, other := range gone {
		other.wake <- false
		settle()
	}
}

// trace adds one decision to the digest.
func (w *World) trace(me *waiter, now time.Time) {
	w.digest(uint64(me.proc.id), uint64(me.at), uint64(now.UnixNano()))
	if w.verbose {
		w.log("%s proc %d %s", now.Format("02 15:04:05.000000"), me.proc.id, me.at)
	}
}

// digest adds numbers to the digest of the run (FNV-1a over whole words).
func (w *World) digest(words ...uint64) {
	for _, word := range words {
		w.sum = (w.sum ^ word) * 1099511628211
	}
}

// chance draws a fault: it is counted and added to the digest, and never happens after faults have stopped.
func (w *World) chance(f fault) bool {
	if !w.faulty {
		return false
	}
	p := w.swarm.odds[f]
	if p == 0 || fraction(w.rng) >= p {
		return false
	}
	w.count(f)
	return true
}

func (w *World) count(f fault) {
	w.faults[f]++
	w.digest(uint64(f) + 1000)
	if w.verbose {
		w.log("    fault: %s", f)
	}
}

// between is a random duration.
func between(rng *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(rng.Int64N(int64(high-low)))
}
