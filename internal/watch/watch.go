// Package watch tells events to the host's observers, and logs those that a person has to look at.
package watch

import (
	"context"
	"log/slog"

	"github.com/tollgatepay/gateway/internal/thrown"
	"github.com/tollgatepay/gateway/observe"
)

// Watch tells events. A nil Watch tells nobody.
type Watch struct {
	Observers []observe.Observer
	Log       *slog.Logger
}

// Listens reports whether anybody hears of events that need no person. Where nobody does, they need not be made.
func (w *Watch) Listens(ctx context.Context) bool {
	return w != nil && (len(w.Observers) > 0 || w.Log.Enabled(ctx, slog.LevelDebug))
}

// Tell logs an event and tells it to every observer.
func (w *Watch) Tell(ctx context.Context, e observe.Event) {
	if w == nil {
		return
	}
	if line := observe.LineOf(e); w.Log.Enabled(ctx, line.Level) {
		w.Log.LogAttrs(ctx, line.Level, line.Message, line.Filled()...)
	}
	for _, o := range w.Observers {
		w.tell(ctx, o, e)
	}
}

// tell survives an observer that panics: the event's change is stored, and its payment goes on.
func (w *Watch) tell(ctx context.Context, o observe.Observer, e observe.Event) {
	defer func() {
		if fault := recover(); fault != nil {
			w.Log.ErrorContext(ctx, "an observer panicked", "fault", thrown.Kind(fault))
		}
	}()
	o.Observe(ctx, e)
}
