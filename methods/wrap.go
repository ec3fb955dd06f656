package methods

import (
	"context"
	"reflect"
)

// Call is one call of a connector. Its operation has card data: of that nothing may be logged.
type Call struct {
	Power     Power
	Operation Operation
}

// Around is called in place of a method of a connector. It calls next once and returns its answer. An answer of its own
// is believed like the acquirer's.
type Around func(ctx context.Context, call Call, next func(context.Context) Answer) Answer

// Wrap puts a function around every call of a connector, to trace, measure or delay it. The result declares what the
// connector declares, and has its powers and no others. A struct that embeds the interface Connector would lose them,
// since the gateway finds powers by their methods; CheckPowers finds such a struct.
func Wrap(connector Connector, around Around) Connector {
	w := &wrapped{connector, around}
	shape := 0
	for i, p := range optional {
		if reflect.TypeOf(connector).Implements(p.of) {
			shape |= 1 << i
		}
	}
	return shapes[shape](w)
}

// wrapped is a connector without its optional powers.
type wrapped struct {
	connector Connector
	around    Around
}

func (w *wrapped) call(ctx context.Context, power Power, op Operation,
	next func(context.Context, Operation) Answer) Answer {
	return w.around(ctx, Call{power, op}, func(ctx context.Context) Answer { return next(ctx, op) })
}

// Perform implements Connector.
func (w *wrapped) Perform(ctx context.Context, op Operation) Answer {
	return w.call(ctx, Performs, op, w.connector.Perform)
}

// Capabilities implements Declarer.
func (w *wrapped) Capabilities() Capabilities { return CapabilitiesOf(w.connector) }

// The optional powers, each of a connector that has it.
type (
	finding    struct{ w *wrapped }
	completing struct{ w *wrapped }
	reading    struct{ w *wrapped }
	stopping   struct{ w *wrapped }
)

// Find implements Finder.
func (f finding) Find(ctx context.Context, op Operation) Answer {
	return f.w.call(ctx, Finds, op, f.w.connector.(Finder).Find)
}

// Complete implements Completer.
func (c completing) Complete(ctx context.Context, op Operation, back Return) Answer {
	return c.w.call(ctx, Completes, op, func(ctx context.Context, op Operation) Answer {
		return c.w.connector.(Completer).Complete(ctx, op, back)
	})
}

// Notification implements Notified.
func (r reading) Notification(ctx context.Context, op Operation, note Note) Answer {
	return r.w.call(ctx, ReadsNotes, op, func(ctx context.Context, op Operation) Answer {
		return r.w.connector.(Notified).Notification(ctx, op, note)
	})
}

// StopSchedule implements Stopper.
func (s stopping) StopSchedule(ctx context.Context, op Operation) Answer {
	return s.w.call(ctx, StopsSchedules, op, s.w.connector.(Stopper).StopSchedule)
}

// shapes are the types that a wrapped connector can have: one for each set of powers, since no type gets methods while
// the program runs. The place is the sum of 1 for Find, 2 for Complete, 4 for Notification and 8 for StopSchedule.
var shapes = [...]func(*wrapped) Connector{
	func(w *wrapped) Connector { return w },
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			finding
		}{w, finding{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			completing
		}{w, completing{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			finding
			completing
		}{w, finding{w}, completing{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			reading
		}{w, reading{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			finding
			reading
		}{w, finding{w}, reading{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			completing
			reading
		}{w, completing{w}, reading{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			finding
			completing
			reading
		}{w, finding{w}, completing{w}, reading{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			stopping
		}{w, stopping{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			finding
			stopping
		}{w, finding{w}, stopping{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			completing
			stopping
		}{w, completing{w}, stopping{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			finding
			completing
			stopping
		}{w, finding{w}, completing{w}, stopping{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			reading
			stopping
		}{w, reading{w}, stopping{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			finding
			reading
			stopping
		}{w, finding{w}, reading{w}, stopping{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			completing
			reading
			stopping
		}{w, completing{w}, reading{w}, stopping{w}}
	},
	func(w *wrapped) Connector {
		return struct {
			*wrapped
			finding
			completing
			reading
			stopping
		}{w, finding{w}, completing{w}, reading{w}, stopping{w}}
	},
}
