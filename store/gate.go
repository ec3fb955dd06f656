package store

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Gate is the door of a back end: it refuses nested transactions, cancelled contexts and calls after
// Close, and lets Close wait for what runs. The zero value is open. Every View and Update of a back
// end calls Enter first and, if it was let in, Leave last.
//
// Nesting is recognised by the goroutine: whoever is inside and enters again is refused. The price of
// Enter and Leave together is about 50 ns.
type Gate struct {
	inside [gateShards]shard
	run    sync.RWMutex // held shared by everyone inside, alone by Close
	shut   atomic.Pointer[error]
}

// gateShards spreads the goroutines so that readers on several cores do not wait for one lock.
const gateShards = 32

// shard is some of the goroutines inside. The padding gives each a cache line of its own.
type shard struct {
	mu         sync.Mutex
	goroutines []uintptr
	_          [32]byte
}

// Enter lets the calling goroutine in. The error is ErrNested, ErrClosed (with the cause handed to
// Shut) or the context's.
func (g *Gate) Enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !g.add() {
		return ErrNested
	}
	if !g.run.TryRLock() { // only Close takes it whole, and shuts the gate before
		g.remove()
		return g.closed()
	}
	if err := g.closed(); err != nil {
		g.Leave()
		return err
	}
	return nil
}

// Leave ends what Enter began, on the same goroutine.
func (g *Gate) Leave() {
	g.run.RUnlock()
	g.remove()
}

// remove forgets the calling goroutine.
func (g *Gate) remove() {
	id := goroutine()
	s := g.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.goroutines) - 1
	s.goroutines[slices.Index(s.goroutines, id)] = s.goroutines[last]
	s.goroutines = s.goroutines[:last]
}

// Shut refuses everyone from now on, without waiting. The first cause stays; nil is a plain ErrClosed.
func (g *Gate) Shut(cause error) {
	err := ErrClosed
	if cause != nil {
		err = fmt.Errorf("%w: %w", ErrClosed, cause)
	}
	g.shut.CompareAndSwap(nil, &err)
}

// Close shuts the gate, waits until nobody is inside and then runs release, holding off everyone else.
// It is ErrNested from inside. Release must allow a second call.
func (g *Gate) Close(release func() error) error {
	if g.isInside() {
		return ErrNested
	}
	g.Shut(nil)
	g.run.Lock()
	defer g.run.Unlock()
	return release()
}

func (g *Gate) closed() error {
	if err := g.shut.Load(); err != nil {
		return *err
	}
	return nil
}

// add notes the calling goroutine; false when it is inside already.
func (g *Gate) add() bool {
	id := goroutine()
	s := g.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.goroutines, id) {
		return false
	}
	s.goroutines = append(s.goroutines, id)
	return true
}

func (g *Gate) isInside() bool {
	id := goroutine()
	s := g.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.goroutines, id)
}

// shard multiplies by the golden ratio, because neighbouring goroutines differ in few bits.
func (g *Gate) shard(id uintptr) *shard {
	return &g.inside[uint32(id>>4)*0x9E3779B1>>27]
}
