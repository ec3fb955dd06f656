package postgres

import (
	"context"
	"sync"
	"time"
)

// patient makes contexts that end when the store has lost its patience, without a timer for each: one that ends sooner
// than all others wakes a thread of the program, which costs as much as a short statement. So they share one, and end
// after the patience at the earliest, and after twice that at the latest.
type patient struct {
	patience time.Duration

	mu     sync.Mutex
	shared context.Context
	until  time.Time // when it ends
}

// within returns a context that ends with ctx, or when the patience is over.
func (p *patient) within(ctx context.Context) (context.Context, context.CancelFunc) {
	shared := p.share()
	if ctx.Done() == nil {
		return shared, func() {}
	}
	within, cancel := context.WithCancel(shared)
	stop := context.AfterFunc(ctx, cancel)
	return within, func() { stop(); cancel() }
}

func (p *patient) share() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Until(p.until) < p.patience {
		p.until = time.Now().Add(2 * p.patience)
		shared, cancel := context.WithDeadline(context.Background(), p.until)
		context.AfterFunc(shared, cancel) // by itself: others may still use it when the next is made
		p.shared = shared
	}
	return p.shared
}
