package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
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
	if ctx.Done() == nil {
		return p.share(), func() {}
	}
	return either(p.share(), ctx)
}

// either returns a context that ends with the first of two, and for its reason.
func either(one, other context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(one)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return ctx, func() { stop(); cancel(nil) }
}

// lastly returns a context that ends with ctx, or half the patience after the moment until which a call tries again. A
// commit has the other half to find out what became of it.
func lastly(ctx context.Context, until time.Time, patience time.Duration) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, until.Add(patience/2), impatience(patience))
}

// cancelable returns a context that ends when the patience is over, or when it is cancelled.
func (p *patient) cancelable() (context.Context, context.CancelFunc) {
	return context.WithCancel(p.share())
}

// impatience is why the contexts of a patient end.
type impatience time.Duration

func (i impatience) Error() string {
	return fmt.Sprintf("no answer within the patience of the store (Config.Patience), %v", time.Duration(i))
}

// named returns an error that names the patience where that has ended the wait.
func named(within context.Context, err error) error {
	cause := context.Cause(within)
	if err == nil || isImpatience(err) || !isImpatience(cause) {
		return err
	}
	return fmt.Errorf("%w: %w", cause, err)
}

func isImpatience(err error) bool {
	var over impatience
	return errors.As(err, &over)
}

func (p *patient) share() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Until(p.until) < p.patience {
		p.until = time.Now().Add(2 * p.patience)
		shared, cancel := context.WithDeadlineCause(context.Background(), p.until, impatience(p.patience))
		context.AfterFunc(shared, cancel) // by itself: others may still use it when the next is made
		p.shared = shared
	}
	return p.shared
}

// meantime is how much longer than who asks the server a reader waits. They have the same patience, and who asks knows
// what the server did not do.
const meantime = time.Second

// await waits for the answer to a question that another goroutine asks.
func (p *patient) await(q *question) error {
	shared := p.share()
	if !q.until.IsZero() {
		bounded, cancel := lastly(shared, q.until, p.patience)
		defer cancel()
		shared = bounded
	}
	select {
	case <-q.answer:
		return q.err
	case <-q.ctx.Done():
		return q.ctx.Err()
	case <-shared.Done():
	}
	timer := time.NewTimer(meantime)
	defer timer.Stop()
	select {
	case <-q.answer:
		return q.err
	case <-q.ctx.Done():
		return q.ctx.Err()
	case <-timer.C:
		return fmt.Errorf("postgres: read: %w", named(shared, shared.Err()))
	}
}

// drop closes a connection that has failed.
func (p *patient) drop(conn *pgx.Conn) {
	ctx, cancel := p.cancelable()
	defer cancel()
	_ = conn.Close(ctx)
}
