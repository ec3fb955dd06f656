package engine

import (
	"context"
	"sync"
	"time"
)

// deadline is a context that ends at a time. Its timer starts when somebody waits for the end, as a connector that
// answers in process hardly does.
type deadline struct {
	context.Context // the parent
	at              time.Time

	mu     sync.Mutex
	ended  bool
	timed  context.Context // with a timer; nil until somebody waits
	cancel context.CancelFunc
}

func newDeadline(parent context.Context, left time.Duration) *deadline {
	return &deadline{Context: parent, at: time.Now().Add(left)}
}

// Deadline implements context.Context.
func (d *deadline) Deadline() (time.Time, bool) {
	if at, ok := d.Context.Deadline(); ok && at.Before(d.at) {
		return at, true
	}
	return d.at, true
}

// Done implements context.Context.
func (d *deadline) Done() <-chan struct{} { return d.withTimer().Done() }

func (d *deadline) withTimer() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		d.timed, d.cancel = context.WithDeadline(d.Context, d.at)
		if d.ended {
			d.cancel()
		}
	}
	return d.timed
}

// Err implements context.Context.
func (d *deadline) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.timed != nil:
		return d.timed.Err()
	case d.Context.Err() != nil:
		return d.Context.Err()
	case d.ended:
		return context.Canceled
	case !time.Now().Before(d.at):
		return context.DeadlineExceeded
	}
	return nil
}

// Value implements context.Context. Package context asks so for what a derived context ends with, and for the cause.
func (d *deadline) Value(key any) any { return d.withTimer().Value(key) }

// end ends the context before its time.
func (d *deadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
	if d.cancel != nil {
		d.cancel()
	}
}
