// Package observe has the events of a gateway: what metrics are made of, and what a person has to look at.
//
// Observers are given in gateway.Config. Every event is told after its change is stored, by the goroutine that made the
// change, so an observer must not block: it counts, or passes the event on. One that panics is logged and hurts no
// payment. An instance tells what it did itself; with several instances on one store, every event is told by one of
// them. A process that dies between the commit and the event tells nothing: events are for metrics and alarms, and
// callbacks are for books.
package observe

import (
	"context"
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/store"
)

//go:generate go test . -run ^TestPage$ -rewrite

// Observer hears events. It is called by many goroutines at once.
type Observer interface {
	Observe(ctx context.Context, e Event)
}

// Func is a function as an Observer.
type Func func(ctx context.Context, e Event)

// Observe calls the function.
func (f Func) Observe(ctx context.Context, e Event) { f(ctx, e) }

// Event is one of the types of this package: a switch over them tells which.
type Event interface {
	line() Line
}

// Line is an event as a line of a log, or as a record of a queue: the same name, level, message and attributes for all
// events of a type.
type Line struct {
	Name    string     // like "payment.moved"
	Level   slog.Level // Warn: a person should look at it; Error: a person has to. Debug: all else
	Message string
	Attrs   []slog.Attr
}

// LineOf returns an event as a line. It has no card data, no secret and no data of the payer.
func LineOf(e Event) Line { return e.line() }

// Filled returns the attributes that are not empty.
func (l Line) Filled() (kept []slog.Attr) {
	for _, a := range l.Attrs {
		if !isEmpty(a.Value) {
			kept = append(kept, a)
		}
	}
	return kept
}

func isEmpty(v slog.Value) bool {
	switch v.Kind() {
	case slog.KindString:
		return v.String() == ""
	case slog.KindInt64:
		return v.Int64() == 0
	case slog.KindBool:
		return !v.Bool()
	case slog.KindTime:
		return v.Time().IsZero()
	default:
		return false
	}
}

// Subject is the operation that an event is about.
type Subject struct {
	MerchantID    string
	PaymentID     string
	TransactionID string
	MIDID         string
	Connector     string
	Method        string // of the catalogue, like "card"
	Operation     store.Operation
	Amount        store.Amount // in major units of the currency
	Currency      string
	Test          bool // made with the merchant's test key
}

// About returns the subject of a transaction of a payment.
func About(p *store.Payment, t *store.Transaction) Subject {
	return Subject{
		MerchantID: p.MerchantID, PaymentID: p.ID, TransactionID: t.ID, MIDID: t.MIDID, Connector: t.Connector,
		Method: p.Method, Operation: t.Operation, Amount: t.Amount, Currency: t.Currency, Test: p.Test,
	}
}

func (s *Subject) attrs(more ...slog.Attr) []slog.Attr {
	amount := ""
	if !s.Amount.IsZero() {
		amount = s.Amount.String()
	}
	return append([]slog.Attr{
		slog.String("merchant", s.MerchantID), slog.String("payment", s.PaymentID),
		slog.String("transaction", s.TransactionID), slog.String("mid", s.MIDID),
		slog.String("connector", s.Connector), slog.String("method", s.Method),
		slog.String("operation", string(s.Operation)), slog.String("amount", amount),
		slog.String("currency", s.Currency), slog.Bool("test", s.Test),
	}, more...)
}

func seconds(key string, d time.Duration) slog.Attr { return slog.Float64(key, d.Seconds()) }
