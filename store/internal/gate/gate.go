// Package gate opens and closes the back ends of this module: it refuses transactions after Close, and lets Close
// wait for those that run.
package gate

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tollgatepay/gateway/store"
)

// Gate counts the transactions of a store. The zero value is open. Every View and Update calls Enter first and, if
// it was let in, Leave last. A nested call is a mistake of the caller (store.Store): Enter lets it in, and a
// nested Close waits for ever.
type Gate struct {
	run  sync.RWMutex // read-locked by every transaction, locked by Close
	shut atomic.Pointer[error]
}

// Enter lets a transaction in. The error is the context's or store.ErrClosed, with the cause handed to Shut.
func (g *Gate) Enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !g.run.TryRLock() { // only Close locks it, and shuts the gate first
		return g.closed()
	}
	if err := g.closed(); err != nil {
		g.run.RUnlock()
		return err
	}
	return nil
}

// Leave ends what Enter began.
func (g *Gate) Leave() { g.run.RUnlock() }

// Shut refuses every transaction from now on, without waiting. The first cause stays; with nil the error is
// ErrClosed alone.
func (g *Gate) Shut(cause error) {
	err := store.ErrClosed
	if cause != nil {
		err = fmt.Errorf("%w: %w", store.ErrClosed, cause)
	}
	g.shut.CompareAndSwap(nil, &err)
}

// Close shuts the gate, waits until no transaction runs and then runs release, one call at a time. Release must allow
// a second call.
func (g *Gate) Close(release func() error) error {
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
