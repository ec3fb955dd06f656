// Package deadline makes contexts that end at a time and have no timer until somebody waits for the end.
package deadline

import (
	"context"
	"sync"
	"time"
)

// Context is a context that ends at a time. Its timer starts when somebody waits for the end or asks for a value, as a
// connector that answers in process hardly does.
type Context struct {
	context.Context // the parent
	at              time.Time

	mu         sync.Mutex
	err, cause error           // why it has ended, once somebody has asked
	timed      context.Context // with a timer; nil until somebody waits
	cancel     context.CancelFunc
}

// New returns a context that ends when so much time has passed, and when its parent ends.
func New(parent context.Context, left time.Duration) *Context {
	return &Context{Context: parent, at: time.Now().Add(left)}
}

// Deadline implements context.Context.
func (d *Context) Deadline() (time.Time, bool) {
	if at, ok := d.Context.Deadline(); ok && at.Before(d.at) {
		return at, true
	}
	return d.at, true
}

// Done implements context.Context.
func (d *Context) Done() <-chan struct{} { return d.withTimer().Done() }

// Value implements context.Context. Package context finds what a derived context ends with, and the cause, by a key of
// its own, which only a context with a timer knows.
func (d *Context) Value(key any) any { return d.withTimer().Value(key) }

// Err implements context.Context.
func (d *Context) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed != nil {
		return d.timed.Err()
	}
	return d.over()
}

// String keeps package fmt from reading what others change.
func (d *Context) String() string { return "context until " + d.at.String() }

// End ends the context before its time.
func (d *Context) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.timed != nil:
		d.cancel()
	case d.over() == nil:
		d.err, d.cause = context.Canceled, context.Canceled
	}
}

// over returns why the context has ended, always the same from then on. There is no timer.
func (d *Context) over() error {
	switch err := d.Context.Err(); {
	case d.err != nil:
	case err != nil:
		d.err, d.cause = err, context.Cause(d.Context)
	case !time.Now().Before(d.at):
		d.err, d.cause = context.DeadlineExceeded, context.DeadlineExceeded
	}
	return d.err
}

// withTimer returns the context that is asked from now on.
func (d *Context) withTimer() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed != nil {
		return d.timed
	}
	alone := context.WithoutCancel(d.Context)
	switch d.over() {
	case nil:
		d.timed, d.cancel = context.WithDeadline(d.Context, d.at)
	case context.DeadlineExceeded: //nolint:errorlint // as package context returns it
		d.timed, d.cancel = context.WithDeadlineCause(alone, time.Time{}, d.cause)
	default:
		timed, cancel := context.WithCancelCause(alone)
		cancel(d.cause)
		d.timed, d.cancel = timed, func() { cancel(nil) }
	}
	return d.timed
}
