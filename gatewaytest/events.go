package gatewaytest

import (
	"context"
	"slices"
	"sync"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/observe"
)

// Events is an observer that keeps what it hears. The zero value is ready:
//
//	var heard gatewaytest.Events
//	kit := gatewaytest.New(t, heard.Option)
type Events struct {
	mu  sync.Mutex
	all []observe.Event
}

// Option makes the events an observer of a gateway.
func (l *Events) Option(c *gateway.Config) { c.Observers = append(c.Observers, l) }

// Observe keeps an event.
func (l *Events) Observe(_ context.Context, e observe.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, e)
}

// All returns what was heard, in order.
func (l *Events) All() []observe.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

// Heard returns the events of one type, in order.
func Heard[E observe.Event](l *Events) (list []E) {
	for _, e := range l.All() {
		if one, ok := e.(E); ok {
			list = append(list, one)
		}
	}
	return list
}
