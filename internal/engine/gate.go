package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/tollgatepay/gateway/refusal"
)

// Gate counts the operations that are under way, and closes once they have ended.
type Gate struct {
	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
}

// Enter counts an operation; Leave ends it. Enter returns ErrUnavailable once the gate is closed.
func (g *Gate) Enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return refusal.ErrUnavailable
	}
	g.calls.Add(1)
	return nil
}

// Add counts more operations inside one that is already counted, so it is never the first.
func (g *Gate) Add(n int) { g.calls.Add(n) }

// Leave ends an operation.
func (g *Gate) Leave() { g.calls.Done() }

// Close refuses new operations and waits for those under way, until ctx ends.
func (g *Gate) Close(ctx context.Context) error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	done := make(chan struct{})
	go func() {
		g.calls.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("gateway: close: operations still run: %w", ctx.Err())
	}
}
